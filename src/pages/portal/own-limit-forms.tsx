import type { ComponentChildren } from 'preact';
import { typed } from '../data/field-values.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/field.tsx';
import { AmountField, type Context, measures, useAmountField, windows } from './limit-line.tsx';
import styles from './portal.module.css';
import { useOwn } from './portal-words.ts';
import { SetLimitDocument } from './sections/usage.graphql';

/** Shares of an alert's amount at which the customer is notified, in basis points. The customer is always notified at the amount. */
const shares = { all: [], last: [8_000], early: [5_000, 8_000] } as const;
const shareNames = ['all', 'last', 'early'] as const;

const channelNames = ['customer_email', 'portal'] as const;
const channels = { customer_email: ['customer_email', 'portal'], portal: ['portal'] } as const;

/** Returns one of the values that a select field offers. */
const chosen = <Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value =>
  values.find((value) => value === typed(name)) ?? values[0];

type OptionsProps<Value extends string> = Pick<Context, 'actions'> & {
  readonly name: string;
  readonly label: string;
  readonly values: readonly Value[];
  readonly texts: Readonly<Record<Value, string>>;
};

/** Select field with a name for each value. */
const Options = <Value extends string>({ name, label, values, texts, actions }: OptionsProps<Value>) => (
  <Choice name={name} label={label} problems={actions.steps.problems}>
    {values.map((value) => (
      <option key={value} value={value}>
        {texts[value]}
      </option>
    ))}
  </Choice>
);

type FormProps = Context & {
  readonly id: string;
  readonly label: string;
  readonly button: string;
  readonly submit: () => void;
  readonly children: ComponentChildren;
};

/** Form with the measure and the window of a limit. */
function LimitForm({ id, label, button, submit, children, actions }: FormProps) {
  const { limits: words } = useOwn();
  const common = { actions } as const;
  return (
    <form
      id={`${id}-form`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset class={styles.form} disabled={actions.steps.isBusy} aria-label={label}>
        <Options
          name={`${id}Measure`}
          label={words.measure}
          values={measures}
          texts={words.measures}
          {...common}
        />
        <Options
          name={`${id}Window`}
          label={words.window}
          values={windows}
          texts={words.windowNames}
          {...common}
        />
        {children}
        <Button type="submit" kind="quiet">
          {button}
        </Button>
      </fieldset>
    </form>
  );
}

/** Form that sets a cap on all usage of the customer. */
export function CapForm(context: Context) {
  const { limits: words } = useOwn();
  const read = useAmountField(context);
  const { actions } = context;
  const submit = (): void => {
    const amount = read('capAmount', 0);
    if (amount === null) return;
    const input = { measure: chosen('capMeasure', measures), window: chosen('capWindow', windows), amount };
    actions.attempt(async () => actions.send('limitSet', SetLimitDocument, input), { done: words.done });
  };
  return (
    <LimitForm id="cap" label={words.newTitle} button={words.set} submit={submit} {...context}>
      <AmountField name="capAmount" label={words.amount} actions={actions} />
    </LimitForm>
  );
}

/** Fields of an alert: the amount, the shares of the amount, and the channel. */
export function AlertFields({ id, actions }: Pick<Context, 'actions'> & { readonly id: string }) {
  const { limits: words } = useOwn();
  return (
    <>
      <AmountField name={`${id}Amount`} label={words.alertAmount} actions={actions} />
      <Options
        name={`${id}Shares`}
        label={words.alertAt}
        values={shareNames}
        texts={words.alertShares}
        actions={actions}
      />
      <Options
        name={`${id}Channel`}
        label={words.channel}
        values={channelNames}
        texts={words.channels}
        actions={actions}
      />
    </>
  );
}

/** Reads the fields of an alert. `null` if the amount is invalid, whose field is then marked. */
export function useAlertFields(context: Context) {
  const read = useAmountField(context);
  return (id: string) => {
    const amount = read(`${id}Amount`, 1);
    if (amount === null) return null;
    return {
      action: 'notify' as const,
      amount,
      thresholds: shares[chosen(`${id}Shares`, shareNames)],
      channels: channels[chosen(`${id}Channel`, channelNames)],
    };
  };
}

/** Form that sets an alert on all usage of the customer. */
export function AlertForm(context: Context) {
  const { limits: words } = useOwn();
  const read = useAlertFields(context);
  const { actions } = context;
  const submit = (): void => {
    const alert = read('alert');
    if (alert === null) return;
    const input = {
      ...alert,
      measure: chosen('alertMeasure', measures),
      window: chosen('alertWindow', windows),
    };
    actions.attempt(async () => actions.send('limitSet', SetLimitDocument, input), { done: words.alertDone });
  };
  return (
    <LimitForm id="alert" label={words.newAlert} button={words.setAlert} submit={submit} {...context}>
      <AlertFields id="alert" actions={actions} />
    </LimitForm>
  );
}
