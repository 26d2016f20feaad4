import { usePage } from '../data/current-page.ts';
import { fieldElement, typed } from '../data/field-values.ts';
import { moneyText, type Priced } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import styles from './portal.module.css';
import { useOwn } from './portal-words.ts';
import { TopUpDocument } from './steps.graphql';
import { typedAmount } from './typed-amount.ts';
import type { PortalActions } from './use-portal.ts';

/** Form that tops up the balance once. */
export function BalanceTopUp({
  subscription,
  actions,
}: {
  readonly subscription: Priced;
  readonly actions: PortalActions;
}) {
  const page = usePage();
  const { credits: words } = useOwn();
  const { steps } = actions;
  const submit = (): void => {
    const amount = typedAmount(typed('topup'), subscription.currency, page.language);
    steps.mark('topup', amount === null ? words.problem : '');
    if (amount === null) return fieldElement('topup')?.focus();
    const text = moneyText(page, subscription, amount);
    actions.buy({
      action: 'balanceTopUp',
      mutation: TopUpDocument,
      input: { amount },
      title: words.topUpAsk({ amount: text }),
      label: words.topUp,
      done: words.toppedUp({ amount: text }),
      next: () => {
        const field = fieldElement('topup');
        if (field !== null) field.value = '';
      },
    });
  };
  return (
    <form
      id="topup-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset class={styles.form} disabled={steps.isBusy} aria-label={words.topUpTitle}>
        <Field
          name="topup"
          label={words.topUpLabel}
          problems={steps.problems}
          inputMode="decimal"
          autoComplete="off"
          maxLength={15}
        />
        <Button type="submit" kind="quiet">
          {words.topUp}
        </Button>
      </fieldset>
    </form>
  );
}
