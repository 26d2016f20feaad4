import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons';
import { exactText, ratio } from '../../../domain/rates/exact.ts';
import type { RateLine } from '../../../domain/rates/lines.ts';
import { amountText, currencySign, moneyText, rateText } from '../../../ui/format/money.ts';
import { countText } from '../../../ui/format/numbers.ts';
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
import type { FeatureDraft } from './model/plan-draft.ts';
import { type RateDraft, readDraft } from './model/rate-draft.ts';
import {
  modelsFor,
  mostTiers,
  type PricedQuantity,
  pastedTiers,
  pricedQuantities,
  problemOf,
  rateOfPrice,
  withModel,
  withNewTier,
  withoutTier,
  withTier,
} from './model/rate-table.ts';

const largestPer = 1_000_000_000_000;

type Problems = (field: string) => { readonly error?: string };

type EditProps = {
  readonly rate: RateDraft;
  readonly onChange: (rate: RateDraft) => void;
  readonly problems: Problems;
};

/** Rows with the tiers of a rate. */
function Tiers({ rate, onChange, problems }: EditProps) {
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
      before={currencySign('usd', locale)}
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
                  icon={<Cross2Icon />}
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
function RateFields({ rate, onChange, problems }: EditProps) {
  const { rate: words } = useWords('plan');
  const { locale } = useKit();
  const { model } = rate;
  const [tier] = rate.tiers;
  const before = currencySign('usd', locale);
  return (
    <Stack gap={4}>
      <FormGrid>
        {model === 'per_unit' && (
          <DecimalField
            label={words.price}
            before={before}
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
      {model !== 'per_unit' && <Tiers rate={rate} onChange={onChange} problems={problems} />}
      <FormGrid>
        <DecimalField
          label={words.minimum}
          help={words.minimumHelp}
          isOptional
          before={before}
          value={rate.minimum}
          onChange={(minimum) => onChange({ ...rate, minimum })}
          {...problems('minimum')}
        />
        <DecimalField
          label={words.maximum}
          isOptional
          before={before}
          value={rate.maximum}
          onChange={(maximum) => onChange({ ...rate, maximum })}
          {...problems('maximum')}
        />
      </FormGrid>
    </Stack>
  );
}

/** Table with the prices of a few example quantities. */
function Prices({ priced }: { readonly priced: readonly PricedQuantity[] }) {
  const { rate: words } = useWords('plan');
  const { locale } = useKit();
  const lineText = ({ kind, quantity, unitAmount, amount }: RateLine): string => {
    const total = moneyText(amount, 'usd', locale);
    if (kind === 'minimum' || kind === 'maximum')
      return `${total} (${kind === 'minimum' ? words.atLeast : words.atMost})`;
    if (kind !== 'units') return total;
    const dollars = ratio(unitAmount.numerator, unitAmount.denominator * 100n);
    return words.each({
      count: countText(Number(exactText(quantity)), locale),
      price: amountText(exactText(dollars), 'usd', locale),
    });
  };
  return (
    <Table
      label={words.table}
      rows={priced}
      rowKey={({ units }) => String(units)}
      columns={[
        {
          id: 'units',
          title: words.units,
          align: 'end',
          cell: ({ units }) => countText(Number(units), locale),
        },
        {
          id: 'total',
          title: words.total,
          align: 'end',
          cell: ({ price }) => moneyText(price, 'usd', locale),
        },
        {
          id: 'average',
          title: words.average,
          align: 'end',
          cell: ({ average }) => rateText(average, 'usd', locale),
        },
        {
          id: 'calculation',
          title: words.calculation,
          priority: 'secondary',
          cell: ({ lines }) => (
            <Text size="sm" color="muted">
              {lines.map(lineText).join(' + ')}
            </Text>
          ),
        },
      ]}
    />
  );
}

type RateEditorProps = {
  readonly feature: FeatureDraft;
  /** True if usage is deducted from a balance. */
  readonly isFromBalance: boolean;
  readonly onChange: (changes: Partial<FeatureDraft>) => void;
};

/**
 * Edits the price of a feature: a price per unit, or a rate with tiers, a package size or limits. Shows the prices of a
 * few example quantities.
 */
export function RateEditor({ feature, isFromBalance, onChange }: RateEditorProps) {
  const words = useWords('plan');
  const { rate: own, features } = words;
  const { rate } = feature;
  const read = rate === null ? null : readDraft(rate);
  const problems: Problems = (field) => {
    const found =
      read !== null && 'problems' in read ? read.problems.find((one) => one.field === field) : undefined;
    return found === undefined ? {} : { error: own.problems[problemOf(found.message)] };
  };
  const choose = (value: string): void => {
    const model = modelsFor(isFromBalance).find((name) => name === value);
    if (model === undefined) onChange({ rate: null, unitPrice: feature.unitPrice ?? 0 });
    else
      onChange({ rate: rate === null ? rateOfPrice(model, feature.unitPrice ?? 0) : withModel(rate, model) });
  };
  return (
    <Stack gap={4}>
      <Select
        label={own.model}
        value={rate?.model ?? 'plain'}
        onChange={choose}
        help={own.modelTexts[rate?.model ?? 'plain']}
        options={['plain' as const, ...modelsFor(isFromBalance)].map((value) => ({
          value,
          label: own.models[value],
        }))}
      />
      {rate === null || read === null ? (
        <RateField
          label={features.unitPrice}
          currency="usd"
          value={feature.unitPrice}
          onChange={(unitPrice) => onChange({ unitPrice })}
          after={features.perUnit({ unit: feature.unitName ?? features.unit })}
        />
      ) : (
        <>
          <RateFields rate={rate} onChange={(next) => onChange({ rate: next })} problems={problems} />
          {'rate' in read ? (
            <Prices priced={pricedQuantities(read.rate)} />
          ) : (
            <Text color="warning">{own.unfinished}</Text>
          )}
        </>
      )}
    </Stack>
  );
}
