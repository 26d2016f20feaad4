import { useData } from '../../../data/hooks.ts';
import { Checkbox, Switch } from '../../../kit/choice.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { type Interval, intervals } from '../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogSheet, NameField } from '../parts/catalog-sheet.tsx';
import { useCatalogEdit } from '../parts/use-catalog-edit.ts';
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

/** Fields for the intervals and redirect URLs of a pricing table, and whether it is enabled. */
function OfferFields({ draft, onChange }: OfferFieldsProps) {
  const words = useWords('pricingtables');
  const common = useWords('catalog');
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
  /** Pricing table to edit. `null` to create a table. */
  readonly table: PricingTable | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that creates, edits, previews or deletes a pricing table. */
export function TableSheet({ table, onClose, onDone }: TableSheetProps) {
  const words = useWords('pricingtables');
  const { data: choices } = useData(CatalogPricingTableChoicesDocument, {});
  const edit = useCatalogEdit(table?.id ?? null, {
    create: CatalogPricingTableCreateDocument,
    update: CatalogPricingTableUpdateDocument,
    remove: CatalogPricingTableDeleteDocument,
    stored: draftOf(table),
    isReady: (draft) => choices !== null && isComplete(draft),
    inputOf: (draft) => {
      const input = inputOf(draft, choices);
      return { create: input, update: input };
    },
    onDone,
  });
  const { values: draft, change } = edit.draft;
  return (
    <CatalogSheet
      edit={edit}
      title={table?.name ?? words.new}
      create={words.create}
      deletion={{ title: words.deleteTitle({ name: table?.name ?? '' }), texts: [words.deleteText] }}
      onClose={onClose}
      size="lg"
    >
      <Stack gap={4}>
        {table !== null && <TablePreview table={table} />}
        <NameField
          help={words.nameHelp}
          value={draft.name}
          onChange={(name) => change({ name })}
          autoFocus={table === null}
        />
        <PlanFields draft={draft} choices={choices} onChange={change} />
        <OfferFields draft={draft} onChange={change} />
      </Stack>
    </CatalogSheet>
  );
}
