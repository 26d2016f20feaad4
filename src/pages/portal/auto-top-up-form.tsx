import { usePage } from '../data/current-page.ts';
import { moneyText } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Choice, Field } from '../parts/field.tsx';
import { idOf, maxPerMonth, type Props, useEntries } from './auto-top-up-entries.ts';
import styles from './portal.module.css';
import { useOwn } from './portal-words.ts';
import { SetAutoTopUpDocument } from './steps.graphql';

/** Fields for the purchase of a top-up: a credit pack, or an amount or a target of a balance. */
function RefillFields(props: Omit<Props, 'topUp'>) {
  const { packs, actions } = props;
  const page = usePage();
  const { autoTopUp: words } = useOwn();
  const { problems } = actions.steps;
  if (packs !== null)
    return (
      <Choice name={idOf(props, 'autoPack')} label={words.pack} problems={problems}>
        {packs.map(({ creditPackId, name, amountDue }) => (
          <option key={creditPackId} value={creditPackId}>
            {`${name} · ${moneyText(page, props, amountDue)}`}
          </option>
        ))}
      </Choice>
    );
  return (
    <>
      <Choice name={idOf(props, 'autoKind')} label={words.kind} problems={problems}>
        <option value="amount">{words.kinds.amount}</option>
        <option value="target">{words.kinds.target}</option>
      </Choice>
      <Field
        name={idOf(props, 'autoAmount')}
        label={words.amount}
        problems={problems}
        inputMode="decimal"
        autoComplete="off"
        maxLength={15}
      />
    </>
  );
}

/** Form that turns the automatic top-up on, with the consent of the customer. */
export function AutoTopUpForm(props: Omit<Props, 'topUp'>) {
  const { asset, packs, actions } = props;
  const page = usePage();
  const { autoTopUp: words } = useOwn();
  const { steps } = actions;
  const entries = useEntries(props);
  const submit = (): void => {
    const values = entries();
    if (values === null)
      return document
        .querySelector<HTMLElement>(`#${idOf(props, 'auto-topup')} [aria-invalid="true"]`)
        ?.focus();
    actions.ask({
      title: words.title,
      text: values.statement,
      label: words.agree,
      cardFor: null,
      act: () =>
        actions.attempt(
          async () =>
            actions.send('autoTopUpSet', SetAutoTopUpDocument, {
              asset,
              ...values,
              maxPerMonth,
              language: page.language,
            }),
          { done: words.turnedOn },
        ),
    });
  };
  return (
    <form
      id={idOf(props, 'auto-topup-form')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset class={styles.form} disabled={steps.isBusy} aria-label={words.title}>
        <Field
          name={idOf(props, 'autoThreshold')}
          label={packs === null ? words.threshold : words.thresholdUnits}
          problems={steps.problems}
          inputMode="decimal"
          autoComplete="off"
          maxLength={15}
        />
        <RefillFields {...props} />
        <Field
          name={idOf(props, 'autoMost')}
          label={words.most}
          problems={steps.problems}
          inputMode="decimal"
          autoComplete="off"
          maxLength={15}
        />
        <Button type="submit" kind="quiet">
          {words.turnOn}
        </Button>
      </fieldset>
    </form>
  );
}
