import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { Switch } from '../../../kit/choice.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { MoneyField, NumberField } from '../../../kit/number-field.tsx';
import { Text } from '../../../kit/text.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogSheet, DescriptionField, NameField } from '../parts/catalog-sheet.tsx';
import { useCatalogEdit } from '../parts/use-catalog-edit.ts';
import {
  CatalogCreditPackCreateDocument,
  CatalogCreditPackDeleteDocument,
  type CatalogCreditPacksDocument,
  CatalogCreditPackUpdateDocument,
} from './page.graphql';

export type CreditPack = ResultOf<typeof CatalogCreditPacksDocument>['creditPacks']['nodes'][number];

type PackSheetProps = {
  /** Credit pack to edit. `null` to create a pack. */
  readonly pack: CreditPack | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that creates, edits or deletes a credit pack. */
export function PackSheet({ pack, onClose, onDone }: PackSheetProps) {
  const words = useWords('packs');
  const [name, setName] = useState(pack?.name ?? '');
  const [description, setDescription] = useState(pack?.description ?? '');
  const [credits, setCredits] = useState(pack?.credits ?? 1_000);
  const [price, setPrice] = useState<number | null>(pack?.price ?? null);
  const [isActive, setActive] = useState(pack?.isActive ?? true);
  const edit = useCatalogEdit(
    pack?.id ?? null,
    {
      create: CatalogCreditPackCreateDocument,
      update: CatalogCreditPackUpdateDocument,
      remove: CatalogCreditPackDeleteDocument,
    },
    onDone,
  );
  const save = () => {
    if (price === null) return;
    const values = { name, description: description || null, credits, price, isActive };
    void edit.save({ create: values, update: values });
  };
  return (
    <CatalogSheet
      edit={edit}
      title={pack?.name ?? words.new}
      create={words.create}
      deletion={{ title: words.deleteTitle({ name: pack?.name ?? '' }), texts: [words.deleteText] }}
      isReady={name.trim() !== '' && price !== null && price > 0}
      isChanged={name !== (pack?.name ?? '')}
      onSave={save}
      onClose={onClose}
    >
      <Stack gap={4}>
        <NameField value={name} onChange={setName} />
        <NumberField
          label={words.credits}
          name="credits"
          value={credits}
          minValue={1}
          onChange={(value) => setCredits(Number.isNaN(value) ? 1 : value)}
        />
        <MoneyField
          label={words.price}
          help={words.priceHelp}
          name="price"
          currency="usd"
          value={price}
          onChange={setPrice}
        />
        <DescriptionField value={description} onChange={setDescription} />
        <Switch isSelected={isActive} onChange={setActive} help={words.onSaleHelp}>
          {words.onSale}
        </Switch>
        {pack !== null && <Text color="muted">{words.changeText}</Text>}
      </Stack>
    </CatalogSheet>
  );
}
