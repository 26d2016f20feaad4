import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { Switch } from '../../../kit/choice.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { MoneyField, NumberField } from '../../../kit/number-field.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextArea, TextField } from '../../../kit/text-field.tsx';
import type { catalog } from '../../../words/en/catalog.ts';
import type { packs } from '../../../words/en/packs.ts';
import { useWords } from '../../../words/words.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { EditSheet } from '../parts/edit-sheet.tsx';
import {
  CatalogCreditPackCreateDocument,
  CatalogCreditPackDeleteDocument,
  type CatalogCreditPacksDocument,
  CatalogCreditPackUpdateDocument,
} from './page.graphql';

export type CreditPack = ResultOf<typeof CatalogCreditPacksDocument>['creditPacks']['nodes'][number];

type PackSheetProps = {
  /** Null for a new one. */
  readonly pack: CreditPack | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Makes a credit pack, or edits or deletes one. */
export function PackSheet({ pack, onClose, onDone }: PackSheetProps) {
  const words = useWords<typeof packs>('packs');
  const common = useWords<typeof catalog>('catalog');
  const [name, setName] = useState(pack?.name ?? '');
  const [description, setDescription] = useState(pack?.description ?? '');
  const [credits, setCredits] = useState(pack?.credits ?? 1_000);
  const [price, setPrice] = useState<number | null>(pack?.price ?? null);
  const [isActive, setActive] = useState(pack?.isActive ?? true);
  const [create, creating] = useAction(CatalogCreditPackCreateDocument);
  const [update, updating] = useAction(CatalogCreditPackUpdateDocument);
  const [remove, removing] = useAction(CatalogCreditPackDeleteDocument);
  const save = async () => {
    if (price === null) return;
    const values = { name, description: description || null, credits, price, isActive };
    const result =
      pack === null ? await create({ input: values }) : await update({ input: { id: pack.id, ...values } });
    if (!(result instanceof ApiError)) onDone();
  };
  const confirm = async () => {
    if (pack === null) return;
    if (!((await remove({ input: { id: pack.id } })) instanceof ApiError)) onDone();
  };
  return (
    <EditSheet
      title={pack?.name ?? words.new}
      save={pack === null ? words.create : common.verbs.save}
      isReady={name.trim() !== '' && price !== null && price > 0}
      isChanged={name !== (pack?.name ?? '')}
      isRunning={creating.isRunning || updating.isRunning}
      error={creating.error ?? updating.error}
      onSave={() => void save()}
      onClose={onClose}
      others={
        pack !== null && (
          <DeleteButton
            title={words.deleteTitle(pack.name)}
            text={words.deleteText}
            state={removing}
            onConfirm={() => void confirm()}
          />
        )
      }
    >
      <Stack gap={4}>
        <TextField
          label={common.name}
          name="name"
          value={name}
          onChange={setName}
          maxLength={200}
          autoFocus
        />
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
        <TextArea
          label={common.description}
          name="description"
          isOptional
          value={description}
          onChange={setDescription}
          maxLength={2_000}
          rows={2}
        />
        <Switch isSelected={isActive} onChange={setActive} help={words.onSaleHelp}>
          {words.onSale}
        </Switch>
        {pack !== null && <Text color="muted">{words.changeText}</Text>}
      </Stack>
    </EditSheet>
  );
}
