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

type Promotion = ResultOf<typeof CatalogCardPromotionsDocument>['cardPromotions']['nodes'][number];

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
  const edit = useCatalogEdit(promotion?.id ?? null, {
    create: CatalogCardPromotionCreateDocument,
    update: CatalogCardPromotionUpdateDocument,
    remove: CatalogCardPromotionDeleteDocument,
    stored: {
      offerId: promotion?.offerId ?? offers[0]?.id ?? null,
      text: promotion?.bins.join('\n') ?? '',
      autoDiscovered: promotion?.autoDiscovered ?? true,
      billingInterval: promotion?.billingInterval ?? null,
    },
    isReady: ({ offerId, text }) => {
      const typed = binsOf(text);
      return offerId !== null && typed.bins.length > 0 && typed.wrong.length === 0;
    },
    inputOf: ({ offerId, text, ...values }) => {
      const input = { ...values, offerId: offerId ?? '', bins: binsOf(text).bins };
      return { create: input, update: input };
    },
    onDone,
  });
  const { values, change, choice, field } = edit.draft;
  const { bins, wrong } = binsOf(values.text);
  return (
    <CatalogSheet
      edit={edit}
      title={promotion === null ? words.new : words.of({ offer: promotion.offer.name })}
      create={words.create}
      deletion={{ title: words.deleteTitle, texts: [words.deleteText] }}
      onClose={onClose}
    >
      <Stack gap={4}>
        <Select
          label={words.offer}
          help={words.offerHelp}
          {...field('offerId')}
          options={offers.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TextArea
          label={words.bins}
          name="bins"
          help={words.binsHelp({ count: bins.length })}
          {...field('text')}
          rows={5}
          code
          {...(wrong.length > 0 && { error: words.wrongBins({ texts: wrong.slice(0, 5).join(', ') }) })}
        />
        <Select
          label={words.interval}
          value={values.billingInterval ?? everyInterval}
          onChange={(value) =>
            change({ billingInterval: value === everyInterval ? null : (value as Interval) })
          }
          options={[
            { value: everyInterval, label: words.everyInterval },
            ...intervals.map((value) => ({ value, label: common.intervals[value] })),
          ]}
        />
        <Switch {...choice('autoDiscovered')} help={words.discoveredHelp}>
          {words.discovered}
        </Switch>
      </Stack>
    </CatalogSheet>
  );
}
