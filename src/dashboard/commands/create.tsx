import { dayStart } from '../../ui/format/dates.ts';
import { defineCommand, type FieldsProps } from './command.ts';
import { CommandCreateDocument } from './commands.graphql';
import { none, OfferField, useCommandWords, useIntervalOptions, usePlanPrices } from './fields.tsx';
import { DateField, NumberField, RadioGroup, Select, TextField } from './lazy-fields.ts';
import { usePlans } from './plans.ts';

type Values = {
  readonly planId: string;
  readonly interval: 'monthly' | 'one_time' | 'quarterly' | 'weekly' | 'yearly' | '';
  readonly start: string | null;
  readonly trial: 'price' | 'none' | 'custom';
  readonly trialDays: number;
  readonly offerId: string;
  readonly promoCode: string;
  readonly name: string;
};

function Terms({ values, change }: FieldsProps<Values>) {
  const { create: words } = useCommandWords();
  const plans = usePlans();
  const plan = plans.find(({ id }) => id === values.planId);
  const intervals = useIntervalOptions(plan, 'usd');
  const pricesOf = usePlanPrices();
  const choosePlan = (planId: string) => {
    const prices = plans.find(({ id }) => id === planId)?.prices ?? [];
    const first = prices.find(({ isDefault }) => isDefault) ?? prices[0];
    change({ planId, interval: first?.billingInterval ?? '' });
  };
  return (
    <>
      <Select
        name="planId"
        label={words.plan}
        options={plans.map((each) => ({
          value: each.id,
          label: each.name,
          help: pricesOf(each, 'usd') || each.code,
        }))}
        value={values.planId === '' ? null : values.planId}
        onChange={choosePlan}
      />
      {intervals.length > 1 && (
        <Select
          name="billingInterval"
          label={words.interval}
          options={intervals}
          value={values.interval === '' ? null : values.interval}
          onChange={(interval) => change({ interval: interval as Values['interval'] })}
        />
      )}
    </>
  );
}

function Fields(props: FieldsProps<Values>) {
  const { values, change } = props;
  const { create: words } = useCommandWords();
  return (
    <>
      <Terms {...props} />
      <RadioGroup
        label={words.trial}
        value={values.trial}
        onChange={(trial) => change({ trial: trial as Values['trial'] })}
        options={[
          { value: 'price', label: words.trialOfPrice },
          { value: 'none', label: words.trialNone },
          { value: 'custom', label: words.trialCustom },
        ]}
      />
      {values.trial === 'custom' && (
        <NumberField
          name="customTrialDays"
          label={words.trialDays}
          minValue={1}
          maxValue={730}
          value={values.trialDays}
          onChange={(trialDays) => change({ trialDays })}
        />
      )}
      <OfferField label={words.offer} value={values.offerId} onChange={(offerId) => change({ offerId })} />
      <TextField
        name="promoCode"
        label={words.promoCode}
        isOptional
        code
        value={values.promoCode}
        onChange={(promoCode) => change({ promoCode })}
      />
      <DateField
        name="startDate"
        label={words.start}
        help={words.startHelp}
        isOptional
        value={values.start}
        onChange={(start) => change({ start })}
      />
      <TextField
        name="name"
        label={words.name}
        help={words.nameHelp}
        isOptional
        maxLength={300}
        value={values.name}
        onChange={(name) => change({ name })}
      />
    </>
  );
}

export const create = defineCommand({
  name: 'create',
  group: 'subscription',
  applies: ({ subscription }) => subscription === null || subscription.status === 'canceled',
  initial: (): Values => ({
    planId: '',
    interval: '',
    start: null,
    trial: 'price',
    trialDays: 14,
    offerId: none,
    promoCode: '',
    name: '',
  }),
  Fields,
  input: (values, { customer }) =>
    values.planId === ''
      ? null
      : {
          customerId: customer.id,
          planId: values.planId,
          ...(values.interval !== '' && { billingInterval: values.interval }),
          ...(values.trial === 'none' && { skipTrial: true }),
          ...(values.trial === 'custom' && { customTrialDays: values.trialDays }),
          ...(values.offerId !== none && { offerId: values.offerId }),
          ...(values.promoCode.trim() !== '' && { promoCode: values.promoCode.trim() }),
          ...(values.start !== null && { startDate: dayStart(values.start) }),
          ...(values.name.trim() !== '' && { name: values.name.trim() }),
        },
  preview: (input) => ({ create: input }),
  document: CommandCreateDocument,
  result: ({ subscriptionCreate: { id, checkoutUrl } }) => ({
    subscriptionId: id,
    ...(checkoutUrl && { link: checkoutUrl }),
  }),
});
