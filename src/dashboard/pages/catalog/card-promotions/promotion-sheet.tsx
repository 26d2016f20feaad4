import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { Switch } from '../../../kit/choice.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Select } from '../../../kit/select.tsx';
import { TextArea } from '../../../kit/text-field.tsx';
import { binsOf } from '../../../parts/catalog/model/code-batch.ts';
import { type Interval, intervals } from '../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogSheet } from '../parts/catalog-sheet.tsx';
import { useCatalogEdit } from '../parts/use-catalog-edit.ts';
import {
  CatalogCardPromotionCreateDocument,
  CatalogCardPromotionDeleteDocument,
  type CatalogCardPromotionsDocument,
  CatalogCardPromotionUpdateDocument,
} from './page.graphql';

export type Promotion = ResultOf<typeof CatalogCardPromotionsDocument>['cardPromotions']['nodes'][number];

const everyInterval = 'every';

type PromotionSheetProps = {
  /** Promotion to edit. `null` to create a promotion. */
  readonly promotion: Promotion | null;
  readonly offers: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that creates, edits or deletes a card promotion. */
export function PromotionSheet({ promotion, offers, onClose, onDone }: PromotionSheetProps) {
  const words = useWords('cards');
  const common = useWords('catalog');
  const [offerId, setOffer] = useState(promotion?.offerId ?? offers[0]?.id ?? null);
  const [text, setText] = useState(promotion?.bins.join('\n') ?? '');
  const [autoDiscovered, setDiscovered] = useState(promotion?.autoDiscovered ?? true);
  const [interval, setInterval] = useState<Interval | null>(promotion?.billingInterval ?? null);
  const edit = useCatalogEdit(
    promotion?.id ?? null,
    {
      create: CatalogCardPromotionCreateDocument,
      update: CatalogCardPromotionUpdateDocument,
      remove: CatalogCardPromotionDeleteDocument,
    },
    onDone,
  );
  const { bins, wrong } = binsOf(text);
  const save = () => {
    if (offerId === null) return;
    const values = { offerId, bins, autoDiscovered, billingInterval: interval };
    void edit.save({ create: values, update: values });
  };
  return (
    <CatalogSheet
      edit={edit}
      title={promotion === null ? words.new : words.of({ offer: promotion.offer.name })}
      create={words.create}
      deletion={{ title: words.deleteTitle, texts: [words.deleteText] }}
      isReady={offerId !== null && bins.length > 0 && wrong.length === 0}
      onSave={save}
      onClose={onClose}
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
          help={words.binsHelp({ count: bins.length })}
          value={text}
          onChange={setText}
          rows={5}
          code
          {...(wrong.length > 0 && { error: words.wrongBins({ texts: wrong.slice(0, 5).join(', ') }) })}
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
    </CatalogSheet>
  );
}
