import PlusIcon from 'lucide-react/icons/plus';
import XIcon from 'lucide-react/icons/x';
import { useState } from 'react';
import { currencySign } from '../../../ui/format/money.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Switch } from '../../kit/choice.tsx';
import { FormGrid } from '../../kit/form.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';
import { DecimalField } from './decimal-field.tsx';
import {
  type CardDraft,
  type CellDraft,
  mostMeterDecimals,
  newCell,
  readCardDraft,
} from './model/card-draft.ts';
import { readCondition } from './model/derived-draft.ts';
import { type RateDraft, readDraft } from './model/rate-draft.ts';
import { modelsFor, withModel } from './model/rate-table.ts';
import { RateFields, useRateProblems } from './rate-fields.tsx';
import { useRateText } from './rate-prices.tsx';

type RateProps = {
  readonly rate: RateDraft;
  /** True if usage is deducted from credits or another custom unit. */
  readonly isInCredits: boolean;
  readonly onChange: (rate: RateDraft) => void;
};

/** Fields for the rate of a cell. */
function CellRate({ rate, isInCredits, onChange }: RateProps) {
  const { rate: words } = useWords('plan');
  const problems = useRateProblems(readDraft(rate, mostMeterDecimals));
  return (
    <Stack gap={4}>
      <Select
        label={words.model}
        help={words.modelTexts[rate.model]}
        value={rate.model}
        onChange={(value) => {
          const model = modelsFor(false).find((name) => name === value);
          if (model !== undefined) onChange(withModel(rate, model));
        }}
        options={modelsFor(false).map((value) => ({ value, label: words.models[value] }))}
      />
      <RateFields rate={rate} isInCredits={isInCredits} onChange={onChange} problems={problems} />
    </Stack>
  );
}

type CardFieldsProps = {
  readonly card: CardDraft;
  readonly isInCredits?: boolean;
  readonly onChange: (card: CardDraft) => void;
};

/** Edits rates by dimension: a condition and a rate for each cell, the rate for all other usage, and limits of the total price. */
export function CardFields({ card, isInCredits = false, onChange }: CardFieldsProps) {
  const { card: words } = useWords('plan');
  const common = useWords('catalog');
  const { locale } = useKit();
  const textOf = useRateText(isInCredits);
  const [opened, setOpened] = useState<number | null>(null);
  const { cells, other } = card;
  const read = readCardDraft(card);
  const tied = 'reason' in read && read.reason === 'ambiguous_cells' ? read.problems : [];
  const limits = useRateProblems('reason' in read ? { problems: read.problems } : null);
  const rows = cells.map((cell, index) => ({ cell, index, number: String(index + 1) }));
  const changeCell = (index: number, changes: Partial<CellDraft>): void =>
    onChange({ ...card, cells: cells.map((one, at) => (at === index ? { ...one, ...changes } : one)) });
  const priceOf = (rate: RateDraft): string => {
    const found = readDraft(rate, mostMeterDecimals);
    return 'rate' in found ? textOf(found.rate) : words.unfinished;
  };
  const conditionError = ({ cell, index }: (typeof rows)[number]): string | null => {
    if (cell.condition.trim() !== '' && readCondition(cell.condition) === null) return words.badCondition;
    return tied.some(({ field }) => field === `cells.${index}.when`) ? words.tied : null;
  };
  const sign = isInCredits ? {} : { before: currencySign('usd', locale) };
  return (
    <Stack gap={4}>
      <Stack gap={2}>
        <Table
          label={words.cells}
          rows={rows}
          rowKey={({ index }) => index}
          empty={words.noCells}
          columns={[
            {
              id: 'when',
              title: words.when,
              cell: (row) => {
                const error = conditionError(row);
                return (
                  <TextField
                    label={words.whenOf(row)}
                    isLabelHidden
                    placeholder={words.example}
                    value={row.cell.condition}
                    onChange={(condition) => changeCell(row.index, { condition })}
                    {...(error !== null && { error })}
                    code
                  />
                );
              },
            },
            {
              id: 'price',
              title: words.price,
              cell: ({ cell, index, number }) => (
                <Button
                  kind="quiet"
                  aria-expanded={opened === index}
                  aria-label={words.priceOf({ number, price: priceOf(cell.rate) })}
                  onPress={() => setOpened(opened === index ? null : index)}
                >
                  {priceOf(cell.rate)}
                </Button>
              ),
            },
            {
              id: 'remove',
              title: common.verbs.remove,
              cell: ({ index, number }) => (
                <IconButton
                  icon={<XIcon />}
                  label={words.remove({ number })}
                  onPress={() => {
                    setOpened(null);
                    onChange({ ...card, cells: cells.filter((_, at) => at !== index) });
                  }}
                />
              ),
            },
          ]}
          detail={({ cell, index }) =>
            opened === index && (
              <CellRate
                rate={cell.rate}
                isInCredits={isInCredits}
                onChange={(rate) => changeCell(index, { rate })}
              />
            )
          }
        />
        <Row gap={2}>
          <Button
            icon={<PlusIcon />}
            onPress={() => {
              setOpened(cells.length);
              onChange({
                ...card,
                cells: [...cells, { ...newCell, rate: cells.at(-1)?.rate ?? newCell.rate }],
              });
            }}
          >
            {words.add}
          </Button>
        </Row>
        <Text size="sm" color="muted">
          {words.help}
        </Text>
      </Stack>
      <Switch
        isSelected={other !== null}
        onChange={(hasOther) => onChange({ ...card, other: hasOther ? newCell.rate : null })}
        help={other === null ? words.otherRejected : words.otherHelp}
      >
        {words.other}
      </Switch>
      {other !== null && (
        <CellRate
          rate={other}
          isInCredits={isInCredits}
          onChange={(rate) => onChange({ ...card, other: rate })}
        />
      )}
      <FormGrid>
        <DecimalField
          label={words.minimum}
          help={words.minimumHelp}
          isOptional
          {...sign}
          value={card.minimum}
          onChange={(minimum) => onChange({ ...card, minimum })}
          {...limits('minimum')}
        />
        <DecimalField
          label={words.maximum}
          isOptional
          {...sign}
          value={card.maximum}
          onChange={(maximum) => onChange({ ...card, maximum })}
          {...limits('maximum')}
        />
      </FormGrid>
    </Stack>
  );
}
