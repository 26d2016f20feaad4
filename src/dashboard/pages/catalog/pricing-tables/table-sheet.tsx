import { useState } from 'react';
import { ApiError } from '../../../data/api-error.ts';
import { useAction, useData } from '../../../data/hooks.ts';
import { Checkbox, Switch } from '../../../kit/choice.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { type Interval, intervals } from '../../../parts/catalog/model/plan-draft.ts';
import type { catalog } from '../../../words/en/catalog.ts';
import type { pricingtables } from '../../../words/en/pricingtables.ts';
import { useWords } from '../../../words/words.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { EditSheet } from '../parts/edit-sheet.tsx';
import {
  CatalogPricingTableChoicesDocument,
  CatalogPricingTableCreateDocument,
  CatalogPricingTableDeleteDocument,
  CatalogPricingTableUpdateDocument,
} from './page.graphql';
import { PlanFields } from './plan-fields.tsx';
import { draftOf, inputOf, isComplete, type PricingTable, type TableDraft } from './table-draft.ts';
import { TablePreview } from './table-preview.tsx';

type OfferFieldsProps = {
  readonly draft: TableDraft;
  readonly onChange: (part: Partial<TableDraft>) => void;
};

/** For which intervals a table is, where it leads, and whether it is on. */
function OfferFields({ draft, onChange }: OfferFieldsProps) {
  const words = useWords<typeof pricingtables>('pricingtables');
  const common = useWords<typeof catalog>('catalog');
  const toggle = (interval: Interval, isChosen: boolean) =>
    onChange({
      intervals: intervals.filter((each) => (each === interval ? isChosen : draft.intervals.includes(each))),
    });
  return (
    <>
      <Stack gap={2}>
        <Text weight="medium">{words.intervals}</Text>
        <Text size="sm" color="muted">
          {words.intervalsHelp}
        </Text>
        {intervals.map((interval) => (
          <Checkbox
            key={interval}
            isSelected={draft.intervals.includes(interval)}
            onChange={(isChosen) => toggle(interval, isChosen)}
          >
            {common.intervals[interval]}
          </Checkbox>
        ))}
      </Stack>
      <TextField
        label={words.successUrl}
        name="successUrl"
        type="url"
        isOptional
        value={draft.successUrl}
        onChange={(successUrl) => onChange({ successUrl })}
      />
      <TextField
        label={words.signUpUrl}
        help={words.signUpHelp}
        name="signUpUrl"
        type="url"
        isOptional
        value={draft.signUpUrl}
        onChange={(signUpUrl) => onChange({ signUpUrl })}
      />
      <Switch isSelected={draft.isActive} onChange={(isActive) => onChange({ isActive })} help={words.onHelp}>
        {words.on}
      </Switch>
    </>
  );
}

type TableSheetProps = {
  /** Null for a new one. */
  readonly table: PricingTable | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Makes a pricing table, or edits, shows or deletes one. */
export function TableSheet({ table, onClose, onDone }: TableSheetProps) {
  const words = useWords<typeof pricingtables>('pricingtables');
  const common = useWords<typeof catalog>('catalog');
  const { data: choices } = useData(CatalogPricingTableChoicesDocument, {});
  const [draft, setDraft] = useState(() => draftOf(table));
  const [create, creating] = useAction(CatalogPricingTableCreateDocument);
  const [update, updating] = useAction(CatalogPricingTableUpdateDocument);
  const [remove, removing] = useAction(CatalogPricingTableDeleteDocument);
  const change = (part: Partial<TableDraft>) => setDraft((before) => ({ ...before, ...part }));
  const save = async () => {
    const input = inputOf(draft, choices);
    const result =
      table === null ? await create({ input }) : await update({ input: { id: table.id, ...input } });
    if (!(result instanceof ApiError)) onDone();
  };
  const confirm = async () => {
    if (table === null) return;
    if (!((await remove({ input: { id: table.id } })) instanceof ApiError)) onDone();
  };
  return (
    <EditSheet
      title={table?.name ?? words.new}
      save={table === null ? words.create : common.verbs.save}
      isReady={choices !== null && isComplete(draft)}
      isChanged={JSON.stringify(draft) !== JSON.stringify(draftOf(table))}
      isRunning={creating.isRunning || updating.isRunning}
      error={creating.error ?? updating.error}
      onSave={() => void save()}
      onClose={onClose}
      size="lg"
      others={
        table !== null && (
          <DeleteButton
            title={words.deleteTitle(table.name)}
            text={words.deleteText}
            state={removing}
            onConfirm={() => void confirm()}
          />
        )
      }
    >
      <Stack gap={4}>
        {table !== null && <TablePreview table={table} />}
        <TextField
          label={common.name}
          help={words.nameHelp}
          name="name"
          value={draft.name}
          onChange={(name) => change({ name })}
          maxLength={200}
          autoFocus={table === null}
        />
        <PlanFields draft={draft} choices={choices} onChange={change} />
        <OfferFields draft={draft} onChange={change} />
      </Stack>
    </EditSheet>
  );
}
