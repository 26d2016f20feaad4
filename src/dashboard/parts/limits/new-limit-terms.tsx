import { currencyText } from '../../../ui/format/names.ts';
import { useData } from '../../data/hooks.ts';
import { NumberField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { ComboBox, Select } from '../../kit/select.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { wholeOrNull } from '../../kit/whole-number.ts';
import { useCurrencies } from '../countries.ts';
import { CustomUnitsDocument } from '../units.graphql';
import { hasCustomUnit, hasLength, hasWindow, type LimitValues } from './limit-draft.ts';
import { useLimitWords } from './limit-words.ts';
import { LimitChoicesDocument } from './limits.graphql';

type Props = {
  readonly values: LimitValues;
  readonly change: (part: Partial<LimitValues>) => void;
};

const measures = ['spend', 'value', 'drawn', 'remaining', 'units', 'calls'] as const;

const windows = [
  'usage_window',
  'billing_period',
  'day',
  'week',
  'month',
  'fixed',
  'rolling',
  'session',
  'event',
  'lifetime',
] as const;

/** Value of the option that stands for all features or all plans. */
const all = 'all';

/** Field for the currency or the custom unit of the amount. */
function UnitField({ values, change }: Props) {
  const words = useLimitWords();
  const { locale } = useKit();
  const currencies = useCurrencies();
  const isCustom = hasCustomUnit(values);
  const units = useData(CustomUnitsDocument, {}, { isPaused: !isCustom }).data?.assets ?? [];
  const custom = units.filter(({ archivedAt }) => archivedAt === null);
  return (
    <ComboBox
      name={values.measure === 'drawn' ? 'asset' : 'currency'}
      label={isCustom ? words.unit : words.currency}
      options={[
        ...(isCustom ? custom.map(({ code, name }) => ({ value: code, label: name })) : []),
        ...currencies.map((code) => ({
          value: code,
          label: `${code.toUpperCase()} · ${currencyText(code, locale)}`,
        })),
      ]}
      value={values.unit === '' ? null : values.unit}
      onChange={(unit) => change({ unit: unit ?? '', amount: null })}
    />
  );
}

/** Fields for the customers or budgets of a template. */
function TemplateScope({ values, change }: Props) {
  const words = useLimitWords();
  const plans = useData(LimitChoicesDocument, {}).data?.plans.nodes ?? [];
  const isBudget = values.each !== 'customer';
  return (
    <>
      <Select
        label={words.each}
        options={[
          { value: 'customer', label: words.eachCustomer },
          { value: 'budget', label: words.eachBudget },
        ]}
        value={isBudget ? 'budget' : 'customer'}
        onChange={(each) => change({ each: each === 'customer' ? 'customer' : '' })}
      />
      {isBudget && (
        <TextField
          name="scope.each"
          label={words.budgetKind}
          help={words.budgetKindHelp}
          maxLength={20}
          value={values.each}
          onChange={(each) => change({ each })}
        />
      )}
      <Select
        label={words.plan}
        options={[
          { value: all, label: words.allPlans },
          ...plans.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={values.plan === '' ? all : values.plan}
        onChange={(plan) => change({ plan: plan === all ? '' : plan })}
      />
    </>
  );
}

/** Fields for the feature whose usage counts, and for the window. */
function WindowFields({ values, change }: Props) {
  const words = useLimitWords();
  const features = useData(LimitChoicesDocument, {}).data?.features.nodes ?? [];
  const counted = features.filter(({ type }) => type === 'usage');
  const needsFeature = values.measure === 'units';
  return (
    <>
      <Select
        name="filter.features"
        label={words.feature}
        options={[
          ...(needsFeature ? [] : [{ value: all, label: words.allFeatures }]),
          ...counted.map(({ code, name }) => ({ value: code, label: name })),
        ]}
        value={values.feature === '' ? (needsFeature ? null : all) : values.feature}
        onChange={(feature) => change({ feature: feature === all ? '' : feature })}
      />
      <Select
        name="window"
        label={words.window}
        options={windows.map((value) => ({
          value,
          label: words.windowNames[value],
          help: words.windowHelp[value],
        }))}
        value={values.window}
        onChange={(window) => change({ window: window as LimitValues['window'], minutes: null })}
      />
    </>
  );
}

/** Fields for the terms of a new limit that can't be changed later. */
export function NewLimitTerms({ values, change, isTemplate }: Props & { readonly isTemplate: boolean }) {
  const words = useLimitWords();
  return (
    <>
      {isTemplate && <TemplateScope values={values} change={change} />}
      <Select
        name="measure"
        label={words.measure}
        options={measures.map((value) => ({
          value,
          label: words.measures[value],
          help: words.measureHelp[value],
        }))}
        value={values.measure}
        onChange={(measure) => change({ measure: measure as LimitValues['measure'], amount: null })}
      />
      {values.measure !== 'units' && values.measure !== 'calls' && (
        <UnitField key={values.measure} values={values} change={change} />
      )}
      {hasWindow(values) && <WindowFields values={values} change={change} />}
      {hasWindow(values) && hasLength(values) && (
        <NumberField
          name="window.minutes"
          label={words.minutes}
          help={words.minutesHelp}
          minValue={values.window === 'fixed' ? 60 : 1}
          maxValue={44_640}
          value={values.minutes ?? Number.NaN}
          onChange={(minutes) => change({ minutes: wholeOrNull(minutes) })}
        />
      )}
    </>
  );
}
