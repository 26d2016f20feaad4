import XIcon from 'lucide-react/icons/x';
import { Button, IconButton } from '../../kit/button.tsx';
import { Columns, Row, Stack } from '../../kit/layout.tsx';
import { MoneyField, NumberField } from '../../kit/number-field.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';

/** Line item in the form. `unitAmount` is in minor units, and `null` if the field is empty. */
export type LineValues = {
  readonly key: number;
  readonly description: string;
  readonly quantity: number;
  readonly unitAmount: number | null;
};

/** Maximum number of line items. */
const mostLines = 100;

export const newLine = (key: number): LineValues => ({
  key,
  description: '',
  quantity: 1,
  unitAmount: null,
});

type LinesFieldProps = {
  readonly lines: readonly LineValues[];
  readonly currency: string;
  readonly onChange: (lines: readonly LineValues[]) => void;
};

/** Fields for the line items of an invoice. */
export function LinesField({ lines, currency, onChange }: LinesFieldProps) {
  const { editor: words } = useWords('invoices');
  const change = (key: number, part: Partial<LineValues>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...part } : line)));
  const nextKey = Math.max(...lines.map(({ key }) => key)) + 1;
  return (
    <Stack gap={4}>
      {lines.map(({ key, description, quantity, unitAmount }, index) => (
        <Stack key={key} gap={2}>
          <Row gap={2} align="end" wrap={false}>
            <TextField
              name={`lineItems.${index}.description`}
              label={words.lineTitle({ number: String(index + 1) })}
              maxLength={1000}
              value={description}
              onChange={(value) => change(key, { description: value })}
            />
            {lines.length > 1 && (
              <IconButton
                label={words.remove({ number: String(index + 1) })}
                icon={<XIcon />}
                onPress={() => onChange(lines.filter((line) => line.key !== key))}
              />
            )}
          </Row>
          <Columns count={2} gap={3}>
            <NumberField
              name={`lineItems.${index}.quantity`}
              label={words.quantity({ number: String(index + 1) })}
              minValue={1}
              maxValue={1_000_000}
              value={quantity}
              onChange={(value) => change(key, { quantity: Number.isNaN(value) ? 1 : value })}
            />
            <MoneyField
              name={`lineItems.${index}.unitAmount`}
              label={words.unitAmount({ number: String(index + 1) })}
              currency={currency}
              value={unitAmount}
              onChange={(value) => change(key, { unitAmount: value })}
            />
          </Columns>
        </Stack>
      ))}
      {lines.length < mostLines && (
        <Row>
          <Button onPress={() => onChange([...lines, newLine(nextKey)])}>{words.addLine}</Button>
        </Row>
      )}
    </Stack>
  );
}
