import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { Switch } from '../../../kit/choice.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Select } from '../../../kit/select.tsx';
import { TextArea } from '../../../kit/text-field.tsx';
import { binsOf } from '../../../parts/catalog/model/code-batch.ts';
import { type Interval, intervals } from '../../../parts/catalog/model/plan-draft.ts';
import type { cards } from '../../../words/en/cards.ts';
import type { catalog } from '../../../words/en/catalog.ts';
import { useWords } from '../../../words/words.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { EditSheet } from '../parts/edit-sheet.tsx';
import {
  CatalogCardPromotionCreateDocument,
  CatalogCardPromotionDeleteDocument,
  type CatalogCardPromotionsDocument,
  CatalogCardPromotionUpdateDocument,
} from './page.graphql';

export type Promotion = ResultOf<typeof CatalogCardPromotionsDocument>['cardPromotions']['nodes'][number];

const everyInterval = 'every';

type PromotionSheetProps = {
  /** Null for a new one. */
  readonly promotion: Promotion | null;
  readonly offers: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Makes a card promotion, or edits or deletes one. */
export function PromotionSheet({ promotion, offers, onClose, onDone }: PromotionSheetProps) {
  const words = useWords<typeof cards>('cards');
  const common = useWords<typeof catalog>('catalog');
  const [offerId, setOffer] = useState(promotion?.offerId ?? offers[0]?.id ?? null);
  const [text, setText] = useState(promotion?.bins.join('\n') ?? '');
  const [autoDiscovered, setDiscovered] = useState(promotion?.autoDiscovered ?? true);
  const [interval, setInterval] = useState<Interval | null>(promotion?.billingInterval ?? null);
  const [create, creating] = useAction(CatalogCardPromotionCreateDocument);
  const [update, updating] = useAction(CatalogCardPromotionUpdateDocument);
  const [remove, removing] = useAction(CatalogCardPromotionDeleteDocument);
  const { bins, wrong } = binsOf(text);
  const save = async () => {
    if (offerId === null) return;
    const values = { offerId, bins, autoDiscovered, billingInterval: interval };
    const result =
      promotion === null
        ? await create({ input: values })
        : await update({ input: { id: promotion.id, ...values } });
    if (!(result instanceof ApiError)) onDone();
  };
  const confirm = async () => {
    if (promotion === null) return;
    if (!((await remove({ input: { id: promotion.id } })) instanceof ApiError)) onDone();
  };
  return (
    <EditSheet
      title={promotion === null ? words.new : words.of(promotion.offer.name)}
      save={promotion === null ? words.create : common.verbs.save}
      isReady={offerId !== null && bins.length > 0 && wrong.length === 0}
      isRunning={creating.isRunning || updating.isRunning}
      error={creating.error ?? updating.error}
      onSave={() => void save()}
      onClose={onClose}
      others={
        promotion !== null && (
          <DeleteButton
            title={words.deleteTitle}
            text={words.deleteText}
            state={removing}
            onConfirm={() => void confirm()}
          />
        )
      }
    >
      <Stack gap={4}>
        <Select
          label={words.offer}
          help={words.offerHelp}
          value={offerId}
          onChange={setOffer}
          options={offers.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TextArea
          label={words.bins}
          name="bins"
          help={words.binsHelp(bins.length)}
          value={text}
          onChange={setText}
          rows={5}
          code
          {...(wrong.length > 0 && { error: words.wrongBins(wrong.slice(0, 5).join(', ')) })}
        />
        <Select
          label={words.interval}
          value={interval ?? everyInterval}
          onChange={(value) => setInterval(value === everyInterval ? null : (value as Interval))}
          options={[
            { value: everyInterval, label: words.everyInterval },
            ...intervals.map((value) => ({ value, label: common.intervals[value] })),
          ]}
        />
        <Switch isSelected={autoDiscovered} onChange={setDiscovered} help={words.discoveredHelp}>
          {words.discovered}
        </Switch>
      </Stack>
    </EditSheet>
  );
}
