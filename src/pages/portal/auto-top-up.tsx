import { parseMoney } from '../../ui/format/money.ts';
import { usePage } from '../data/current-page.ts';
import { fieldElement, typed } from '../data/field-values.ts';
import { moneyText } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Actions, Card, Quiet } from './parts.tsx';
import styles from './portal.module.css';
import { useOwn } from './portal-words.ts';
import { RemoveAutoTopUpDocument, SetAutoTopUpDocument } from './steps.graphql';
import { balanceText } from './texts.ts';
import type { PortalActions } from './use-portal.ts';

type Reason = keyof ReturnType<typeof useOwn>['autoTopUp']['reasons'];

type TopUp = {
  readonly asset: string;
  readonly status: 'on' | 'off' | 'paused';
  readonly threshold: number;
  readonly refill: { readonly amount: number | null; readonly target: number | null };
  readonly maxPerMonth: number;
  readonly maxAmountPerMonth: number;
  readonly reason: Reason | null;
  readonly usedThisMonth: { readonly count: number; readonly amount: number };
};

type Props = {
  readonly currency: string;
  readonly currencyDecimals: number;
  readonly topUp: TopUp | undefined;
  readonly actions: PortalActions;
};

/** Ten-thousandths of a currency unit in one unit. */
const rateScale = 10_000;

const fields = ['autoThreshold', 'autoAmount', 'autoMost'] as const;

/** Form that turns the automatic top-up on, with the consent of the customer. */
function Form({ currency, currencyDecimals, actions }: Omit<Props, 'topUp'>) {
  const page = usePage();
  const { autoTopUp: words } = useOwn();
  const { steps } = actions;
  const money = (amount: number): string => moneyText(page, { currency, currencyDecimals }, amount);
  const submit = (): void => {
    const [threshold = null, amount = null, most = null] = fields.map((field) => {
      const value = parseMoney(typed(field), currency, page.language);
      const isRight = value !== null && (field === 'autoThreshold' ? value >= 0 : value > 0);
      steps.mark(field, isRight ? '' : words.problem);
      return isRight ? value : null;
    });
    if (threshold === null || amount === null || most === null)
      return fieldElement(
        fields.find((_field, index) => [threshold, amount, most][index] === null) ?? '',
      )?.focus();
    const values = { threshold: money(threshold), amount: money(amount), most: money(most) };
    const statement = words.consent({ ...values, merchant: page.merchant, count: 5 });
    actions.ask({
      title: words.title,
      text: statement,
      label: words.agree,
      cardFor: null,
      act: () =>
        actions.attempt(
          async () =>
            actions.send('autoTopUpSet', SetAutoTopUpDocument, {
              asset: currency,
              threshold: (threshold * rateScale) / 10 ** currencyDecimals,
              amount,
              maxPerMonth: 5,
              maxAmountPerMonth: most,
              statement,
              language: page.language,
            }),
          { done: words.turnedOn },
        ),
    });
  };
  return (
    <form
      id="auto-topup-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset class={styles.form} disabled={steps.isBusy} aria-label={words.title}>
        <Field
          name="autoThreshold"
          label={words.threshold}
          problems={steps.problems}
          inputMode="decimal"
          autoComplete="off"
          maxLength={15}
        />
        <Field
          name="autoAmount"
          label={words.amount}
          problems={steps.problems}
          inputMode="decimal"
          autoComplete="off"
          maxLength={15}
        />
        <Field
          name="autoMost"
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

/** Card with the automatic top-up of the balance: its terms, the purchases of the month, and the reason if it doesn't buy. */
export function AutoTopUp({ currency, currencyDecimals, topUp, actions }: Props) {
  const page = usePage();
  const own = useOwn();
  const { autoTopUp: words } = own;
  const money = (amount: number): string => moneyText(page, { currency, currencyDecimals }, amount);
  if (topUp === undefined || topUp.status === 'off')
    return (
      <Card id="auto-topup" title={words.title}>
        <Quiet>{words.about}</Quiet>
        <Form currency={currency} currencyDecimals={currencyDecimals} actions={actions} />
      </Card>
    );
  const { threshold, refill, maxPerMonth, maxAmountPerMonth, reason, usedThisMonth } = topUp;
  const limit = balanceText({ page, own }, currency, threshold);
  return (
    <Card id="auto-topup" title={words.title}>
      <p id="auto-topup-terms">
        {refill.amount === null
          ? words.targetTerms({
              threshold: limit,
              target: balanceText({ page, own }, currency, refill.target ?? 0),
            })
          : words.terms({ threshold: limit, amount: money(refill.amount) })}
      </p>
      <p id="auto-topup-use" class={styles.quiet}>
        {words.used({
          count: usedThisMonth.count,
          most: maxPerMonth,
          amount: money(usedThisMonth.amount),
          limit: money(maxAmountPerMonth),
        })}
      </p>
      {reason === null ? null : (
        <p id="auto-topup-reason" role="status">
          {topUp.status === 'paused' ? words.paused : words.waiting} {words.reasons[reason]}
        </p>
      )}
      <Actions>
        <Button
          kind="quiet"
          disabled={actions.steps.isBusy}
          onClick={() =>
            actions.attempt(
              async () => actions.send('autoTopUpRemove', RemoveAutoTopUpDocument, { asset: topUp.asset }),
              { done: words.turnedOff },
            )
          }
        >
          {words.turnOff}
        </Button>
      </Actions>
    </Card>
  );
}
