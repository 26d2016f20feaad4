import PlusIcon from 'lucide-react/icons/plus';
import XIcon from 'lucide-react/icons/x';
import { currencySign } from '../../../ui/format/money.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { FormGrid } from '../../kit/form.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { NumberField, RateField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { DecimalField } from './decimal-field.tsx';
import { type RateDraft, readDraft } from './model/rate-draft.ts';
import {
  modelsFor,
  mostTiers,
  pastedTiers,
  problemOf,
  rateOfPrice,
  withModel,
  withNewTier,
  withoutTier,
  withTier,
} from './model/rate-table.ts';
import { RatePrices } from './rate-prices.tsx';

const largestPer = 1_000_000_000_000;

type Problems = (field: string) => { readonly error?: string };

type EditProps = {
  readonly rate: RateDraft;
  readonly isInCredits: boolean;
  readonly onChange: (rate: RateDraft) => void;
  readonly problems: Problems;
};

/** Rows with the tiers of a rate. */
function Tiers({ rate, isInCredits, onChange, problems }: EditProps) {
  const { rate: words } = useWords('plan');
  const common = useWords('catalog');
  const { locale } = useKit();
  const { model, tiers } = rate;
  const rows = tiers.map((tier, index) => ({ tier, index, isLast: index === tiers.length - 1 }));
  const paste = (text: string): boolean => {
    const pasted = pastedTiers(text, locale);
    if (pasted === null) return false;
    onChange(withModel({ ...rate, tiers: pasted }, model));
    return true;
  };
  const amount = (name: 'amount' | 'flat', { tier, index }: (typeof rows)[number]) => (
    <DecimalField
      label={(name === 'amount' ? words.priceOf : words.flatOf)({ number: String(index + 1) })}
      isLabelHidden
      {...(!isInCredits && { before: currencySign('usd', locale) })}
      placeholder="0"
      value={tier[name]}
      onChange={(value) => onChange(withTier(rate, index, { [name]: value }))}
      {...problems(`tiers.${index}.${name}`)}
    />
  );
  return (
    <Stack gap={2}>
      <Table
        label={words.tiers}
        rows={rows}
        rowKey={({ index }) => index}
        columns={[
          {
            id: 'upTo',
            title: words.upTo,
            cell: ({ tier, index, isLast }) => (
              <DecimalField
                label={words.upToOf({ number: String(index + 1) })}
                isLabelHidden
                placeholder={isLast ? words.noLimit : ''}
                value={tier.upTo}
                onChange={(upTo) => onChange(withTier(rate, index, { upTo }))}
                {...(index === 0 && { onPaste: paste })}
                {...problems(`tiers.${index}.upTo`)}
              />
            ),
          },
          ...(model === 'stairs'
            ? []
            : [
                {
                  id: 'price',
                  title: words.price,
                  cell: (row: (typeof rows)[number]) => amount('amount', row),
                },
              ]),
          {
            id: 'flat',
            title: model === 'stairs' ? words.price : words.flat,
            cell: (row) => amount('flat', row),
          },
          {
            id: 'remove',
            title: common.verbs.remove,
            cell: ({ index }) =>
              tiers.length > 1 && (
                <IconButton
                  icon={<XIcon />}
                  label={words.remove({ number: String(index + 1) })}
                  onPress={() => onChange(withoutTier(rate, index))}
                />
              ),
          },
        ]}
      />
      <Row gap={2}>
        <Button
          icon={<PlusIcon />}
          isDisabled={tiers.length >= mostTiers}
          onPress={() => onChange(withNewTier(rate))}
        >
          {words.add}
        </Button>
      </Row>
      <Text size="sm" color="muted">
        {problems('tiers').error ?? words.tiersHelp}
      </Text>
    </Stack>
  );
}

/** Fields of a rate whose price isn't only a price per unit. */
function RateFields({ rate, isInCredits, onChange, problems }: EditProps) {
  const { rate: words } = useWords('plan');
  const { locale } = useKit();
  const { model } = rate;
  const [tier] = rate.tiers;
  const sign = isInCredits ? {} : { before: currencySign('usd', locale) };
  return (
    <Stack gap={4}>
      <FormGrid>
        {model === 'per_unit' && (
          <DecimalField
            label={words.price}
            {...sign}
            value={tier?.amount ?? ''}
            onChange={(amount) => onChange(withTier(rate, 0, { amount }))}
            {...problems('tiers.0.amount')}
          />
        )}
        {model !== 'stairs' && (
          <NumberField
            label={model === 'package' ? words.perPackage : words.per}
            value={rate.per}
            minValue={1}
            maxValue={largestPer}
            onChange={(per) => onChange({ ...rate, per: Number.isNaN(per) ? 1 : per })}
            {...problems('per')}
          />
        )}
      </FormGrid>
      {model !== 'per_unit' && (
        <Tiers rate={rate} isInCredits={isInCredits} onChange={onChange} problems={problems} />
      )}
      <FormGrid>
        <DecimalField
          label={words.minimum}
          help={words.minimumHelp}
          isOptional
          {...sign}
          value={rate.minimum}
          onChange={(minimum) => onChange({ ...rate, minimum })}
          {...problems('minimum')}
        />
        <DecimalField
          label={words.maximum}
          isOptional
          {...sign}
          value={rate.maximum}
          onChange={(maximum) => onChange({ ...rate, maximum })}
          {...problems('maximum')}
        />
      </FormGrid>
    </Stack>
  );
}

/**
 * Price of a feature's units. `unitPrice` is in ten-thousandths of a US dollar (10,000 = 1.00) or in credits; `rate` is `null` if it contains
 * the whole price.
 */
export type EditedPrice = { readonly unitPrice: number | null; readonly rate: RateDraft | null };

type RateEditorProps = {
  readonly price: EditedPrice;
  readonly unit: string;
  /** Pool from which usage is deducted. `null` if units are invoiced. */
  readonly pool: 'credits' | 'balance' | null;
  readonly onChange: (changes: Partial<EditedPrice>) => void;
};

/** Field for a price per unit, or for credits per unit. */
export function UnitPriceField({
  unitPrice,
  unit,
  isInCredits,
  onChange,
}: {
  readonly unitPrice: number | null;
  readonly unit: string;
  readonly isInCredits: boolean;
  readonly onChange: (unitPrice: number | null) => void;
}) {
  const { features: words } = useWords('plan');
  const after = words.perUnit({ unit });
  return isInCredits ? (
    <NumberField
      label={words.creditsPerUnit}
      value={unitPrice ?? Number.NaN}
      minValue={1}
      onChange={(value) => onChange(Number.isNaN(value) ? null : value)}
      after={after}
    />
  ) : (
    <RateField label={words.unitPrice} currency="usd" value={unitPrice} onChange={onChange} after={after} />
  );
}

/** Edits the price of a feature: a price per unit, or a rate with tiers, a package size or limits, and its price for a few numbers of units. */
export function RateEditor({ price, unit, pool, onChange }: RateEditorProps) {
  const words = useWords('plan');
  const { rate: own } = words;
  const { rate, unitPrice } = price;
  const isInCredits = pool === 'credits';
  const isFromPool = pool !== null;
  const read = rate === null ? null : readDraft(rate);
  const problems: Problems = (field) => {
    const found =
      read !== null && 'problems' in read ? read.problems.find((one) => one.field === field) : undefined;
    return found === undefined ? {} : { error: own.problems[problemOf(found.message)] };
  };
  const choose = (value: string): void => {
    const model = modelsFor(isFromPool).find((name) => name === value);
    const amount = unitPrice ?? (isInCredits ? 1 : 0);
    if (model === undefined) onChange({ rate: null, unitPrice: amount });
    else
      onChange({
        rate: rate === null ? rateOfPrice(model, amount, isInCredits ? 0 : 4) : withModel(rate, model),
      });
  };
  return (
    <Stack gap={4}>
      <Select
        label={own.model}
        value={rate?.model ?? 'plain'}
        onChange={choose}
        help={own.modelTexts[rate?.model ?? 'plain']}
        options={['plain' as const, ...modelsFor(isFromPool)].map((value) => ({
          value,
          label: own.models[value],
        }))}
      />
      {rate === null || read === null ? (
        <UnitPriceField
          unitPrice={unitPrice}
          unit={unit}
          isInCredits={isInCredits}
          onChange={(next) => onChange({ unitPrice: next })}
        />
      ) : (
        <>
          <RateFields
            rate={rate}
            isInCredits={isInCredits}
            onChange={(next) => onChange({ rate: next })}
            problems={problems}
          />
          {'rate' in read ? (
            <RatePrices rate={read.rate} isInCredits={isInCredits} />
          ) : (
            <Text color="warning">{own.unfinished}</Text>
          )}
        </>
      )}
    </Stack>
  );
}
