import type { ResultOf } from '../../../../ui/documents.ts';
import { Switch } from '../../../kit/choice.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { MoneyField, NumberField } from '../../../kit/number-field.tsx';
import { Text } from '../../../kit/text.tsx';
import { wholeOrNull } from '../../../kit/whole-number.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogSheet, DescriptionField, NameField } from '../parts/catalog-sheet.tsx';
import { useCatalogEdit } from '../parts/use-catalog-edit.ts';
import { PackAmount } from './pack-amount.tsx';
import {
  CatalogCreditPackCreateDocument,
  CatalogCreditPackDeleteDocument,
  type CatalogCreditPacksDocument,
  CatalogCreditPackUpdateDocument,
} from './page.graphql';

type CreditPack = ResultOf<typeof CatalogCreditPacksDocument>['creditPacks']['nodes'][number];

type PackSheetProps = {
  /** Credit pack to edit. `null` to create a pack. */
  readonly pack: CreditPack | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that creates, edits or deletes a credit pack. */
export function PackSheet({ pack, onClose, onDone }: PackSheetProps) {
  const words = useWords('packs');
  const edit = useCatalogEdit(pack?.id ?? null, {
    create: CatalogCreditPackCreateDocument,
    update: CatalogCreditPackUpdateDocument,
    remove: CatalogCreditPackDeleteDocument,
    stored: {
      name: pack?.name ?? '',
      description: pack?.description ?? '',
      asset: pack?.asset ?? 'credits',
      credits: pack?.credits ?? 1_000,
      price: pack?.price ?? null,
      validDays: pack?.validDays ?? null,
      refundTakesBack: pack?.refundTakesBack ?? false,
      isActive: pack?.isActive ?? true,
    },
    isReady: ({ name, price }) => name.trim() !== '' && price !== null && price > 0,
    inputOf: ({ asset, price, ...values }) => {
      const input = { ...values, description: values.description || null, price: price ?? 0 };
      return { create: { ...input, ...(asset !== 'credits' && { asset }) }, update: input };
    },
    onDone,
  });
  const { values, change, choice, field } = edit.draft;
  return (
    <CatalogSheet
      edit={edit}
      title={pack?.name ?? words.new}
      create={words.create}
      deletion={{ title: words.deleteTitle({ name: pack?.name ?? '' }), texts: [words.deleteText] }}
      onClose={onClose}
    >
      <Stack gap={4}>
        <NameField {...field('name')} />
        <PackAmount values={values} isNew={edit.isNew} change={change} />
        <MoneyField
          label={words.price}
          help={words.priceHelp}
          name="price"
          currency="usd"
          {...field('price')}
        />
        <NumberField
          label={words.validDays}
          help={words.validDaysHelp}
          name="validDays"
          isOptional
          value={values.validDays ?? Number.NaN}
          minValue={1}
          maxValue={3_650}
          onChange={(days) => change({ validDays: wholeOrNull(days) })}
        />
        <DescriptionField {...field('description')} />
        <Switch {...choice('refundTakesBack')} help={words.refundTakesBackHelp}>
          {words.refundTakesBack}
        </Switch>
        <Switch {...choice('isActive')} help={words.onSaleHelp}>
          {words.onSale}
        </Switch>
        {pack !== null && <Text color="muted">{words.changeText}</Text>}
      </Stack>
    </CatalogSheet>
  );
}
