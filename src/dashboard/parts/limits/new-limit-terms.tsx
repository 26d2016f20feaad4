import { currencyText } from '../../../ui/format/names.ts';
import { useData } from '../../data/hooks.ts';
import { NumberField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { ComboBox, Select } from '../../kit/select.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { wholeOrNull } from '../../kit/whole-number.ts';
import { useCurrencies } from '../countries.ts';
import { CustomUnitsDocument } from '../units.graphql';
import {
  actionsOf,
  hasCustomUnit,
  hasLength,
  hasUnit,
  hasWindow,
  type LimitTarget,
  type LimitValues,
  measuresOf,
  needsFeature,
  windowsOf,
} from './limit-draft.ts';
import { useLimitWords } from './limit-words.ts';
import { LimitChoicesDocument } from './limits.graphql';

type Props = {
  readonly target: LimitTarget;
  readonly values: LimitValues;
  readonly change: (part: Partial<LimitValues>) => void;
};

/** Value of the option for all features or all plans. */
const all = 'all';

/** Field for the currency or the custom unit of the amount. */
function UnitField({ values, change }: Omit<Props, 'target'>) {
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

/** Fields for the customers of a template or a shared limit, or for the budgets of a template. */
function ScopeFields({ target, values, change }: Props) {
  const words = useLimitWords();
  const plans = useData(LimitChoicesDocument, {}).data?.plans.nodes ?? [];
  const isBudget = values.each !== 'customer';
  return (
    <>
      {target === 'template' && (
        <Select
          label={words.each}
          options={[
            { value: 'customer', label: words.eachCustomer },
            { value: 'budget', label: words.eachBudget },
          ]}
          value={isBudget ? 'budget' : 'customer'}
          onChange={(each) => change({ each: each === 'customer' ? 'customer' : '' })}
        />
      )}
      {target === 'template' && isBudget && (
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
        label={target === 'shared' ? words.appliesTo : words.plan}
        options={[
          { value: all, label: target === 'shared' ? words.customersTogether : words.allPlans },
          ...plans.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={values.plan === '' ? all : values.plan}
        onChange={(plan) => change({ plan: plan === all ? '' : plan })}
      />
    </>
  );
}

/** Field for the feature that counts. */
function FeatureField({ values, change }: Props) {
  const words = useLimitWords();
  const features = useData(LimitChoicesDocument, {}).data?.features.nodes ?? [];
  const isLevel = values.measure === 'level';
  const counted = features.filter(({ type }) =>
    isLevel ? type === 'seats' || type === 'quota' : type === 'usage',
  );
  const isNeeded = needsFeature(values);
  return (
    <Select
      key={isLevel ? 'level' : 'usage'}
      name="filter.features"
      label={words.feature}
      options={[
        ...(isNeeded ? [] : [{ value: all, label: words.allFeatures }]),
        ...counted.map(({ code, name }) => ({ value: code, label: name })),
      ]}
      value={values.feature === '' ? (isNeeded ? null : all) : values.feature}
      onChange={(feature) => change({ feature: feature === all ? '' : feature })}
    />
  );
}

/** Field for the window in which usage counts. */
function WindowField({ target, values, change }: Props) {
  const words = useLimitWords();
  return (
    <Select
      name="window"
      label={words.window}
      options={windowsOf(target).map((value) => ({
        value,
        label: words.windowNames[value],
        help: words.windowHelp[value],
      }))}
      value={values.window}
      onChange={(window) => change({ window: window as LimitValues['window'], minutes: null })}
    />
  );
}

/** Fields for the terms of a new limit that can't be changed later. */
export function NewLimitTerms({ target, values, change }: Props) {
  const words = useLimitWords();
  const fields = { target, values, change };
  const choose = (measure: LimitValues['measure']): void => {
    const isOther = (measure === 'level') !== (values.measure === 'level');
    const isOffered = actionsOf(target, { ...values, measure }).includes(values.action);
    change({
      measure,
      amount: null,
      ...(isOther && { feature: '' }),
      ...(!isOffered && { action: 'block' }),
    });
  };
  return (
    <>
      {(target === 'template' || target === 'shared') && <ScopeFields {...fields} />}
      <Select
        name="measure"
        label={words.measure}
        options={measuresOf(target).map((value) => ({
          value,
          label: words.measures[value],
          help: words.measureHelp[value],
        }))}
        value={values.measure}
        onChange={(measure) => choose(measure as LimitValues['measure'])}
      />
      {hasUnit(values) && <UnitField key={values.measure} values={values} change={change} />}
      {values.measure !== 'remaining' && <FeatureField {...fields} />}
      {hasWindow(values) && <WindowField {...fields} />}
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
