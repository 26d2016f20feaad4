import { parseMoney } from '../../ui/format/money.ts';
import { countText } from '../../ui/format/numbers.ts';
import { usePage } from '../data/current-page.ts';
import { fieldElement, typed } from '../data/field-values.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Actions, Quiet, Reason } from './parts.tsx';
import styles from './portal.module.css';
import { useOwn } from './portal-words.ts';
import {
  type PortalLimitLineFragment,
  RaiseLimitDocument,
  RemoveLimitDocument,
} from './sections/usage.graphql';
import { decimalMoneyText, momentText } from './texts.ts';
import type { PortalActions } from './use-portal.ts';

export type Limit = PortalLimitLineFragment;

export type Context = {
  readonly currency: string;
  readonly timeZone: string;
  /** Whether customers can set limits. */
  readonly isOffered: boolean;
  readonly actions: PortalActions;
};

export const measures = ['spend', 'value'] as const;
export const windows = ['usage_window', 'day', 'week', 'month'] as const;

/** Reads an amount in minor units from a field, and marks the field if the amount is invalid. */
export function useAmountField({ currency, actions }: Context) {
  const { language } = usePage();
  const { limits: words } = useOwn();
  return (name: string, least: 0 | 1): number | null => {
    const value = parseMoney(typed(name), currency, language);
    const isRight = value !== null && value >= least;
    actions.steps.mark(name, isRight ? '' : words.problem);
    if (!isRight) fieldElement(name)?.focus();
    return isRight ? value : null;
  };
}

/** Returns the name of a limit that the customer set. */
function useName(): (limit: Limit) => string {
  const { limits: words } = useOwn();
  return ({ measure, window, action }) => {
    const span = windows.find((each) => each === window) ?? 'other';
    const name = measures.find((each) => each === measure) ?? 'other';
    const names = action === 'notify' ? words.alertNames : words.names;
    return names[name]({ window: words.windows[span] });
  };
}

/** Field for the amount of a dialog. */
export const AmountField = ({
  name,
  label,
  actions,
}: Pick<Context, 'actions'> & { readonly name: string; readonly label: string }) => (
  <Field
    name={name}
    label={label}
    problems={actions.steps.problems}
    inputMode="decimal"
    autoComplete="off"
    maxLength={15}
  />
);

/** Buttons that raise and remove a limit that the customer set. An alert is only removed. */
function OwnActions({ limit, ...context }: Context & { readonly limit: Limit }) {
  const { limits: words } = useOwn();
  const nameOf = useName();
  const read = useAmountField(context);
  const { actions } = context;
  const { limitId } = limit;
  if (limitId === null) return null;
  const isAlert = limit.action === 'notify';
  const raise = (): void =>
    actions.ask({
      title: words.raiseTitle,
      text: words.raiseText,
      label: words.raiseLimit,
      cardFor: null,
      details: <AmountField name="raiseAmount" label={words.raiseAmount} actions={actions} />,
      act: () => {
        const amount = read('raiseAmount', 1);
        if (amount === null) return;
        actions.attempt(async () => actions.send('limitRaise', RaiseLimitDocument, { limitId, amount }), {
          done: words.raised,
        });
      },
    });
  const remove = (): void =>
    actions.ask({
      title: isAlert ? words.removeAlertTitle : words.removeTitle,
      text: isAlert ? words.removeAlertText : words.removeText,
      label: isAlert ? words.removeAlert : words.removeLimit,
      cardFor: null,
      act: () =>
        actions.attempt(async () => actions.send('limitRemove', RemoveLimitDocument, { limitId }), {
          done: isAlert ? words.alertRemoved : words.removed,
        }),
    });
  const name = nameOf(limit);
  return (
    <Actions>
      {isAlert ? null : (
        <Button
          kind="quiet"
          disabled={actions.steps.isBusy}
          aria-label={`${words.raise}: ${name}`}
          onClick={raise}
        >
          {words.raise}
        </Button>
      )}
      <Button
        kind="quiet"
        disabled={actions.steps.isBusy}
        aria-label={`${words.remove}: ${name}`}
        onClick={remove}
      >
        {words.remove}
      </Button>
    </Actions>
  );
}

/** Returns the texts of an alert: the amounts at which the customer is notified, and the highest amount that the usage reached. */
function useAlertTexts(): (limit: Limit, money: (decimal: string | null) => string) => AlertTexts {
  const { language } = usePage();
  const { limits: words } = useOwn();
  return ({ thresholds, amount, isReached, isEmailed }, money) => {
    const all = [...thresholds.map((threshold) => money(threshold.amount)), money(amount)];
    const amounts = new Intl.ListFormat(language).format(all);
    const last = thresholds.findLast((threshold) => threshold.isReached);
    return {
      tells: isEmailed ? words.tellsByEmail({ amounts }) : words.tells({ amounts }),
      reached: isReached
        ? words.alertReached
        : last === undefined
          ? null
          : words.alertPassed({ amount: money(last.amount) }),
    };
  };
}

type AlertTexts = { readonly tells: string; readonly reached: string | null };

/** Limit with its usage and reset time. The figures of the merchant's limits aren't shown. */
export function LimitLine({ limit, ...context }: Context & { readonly limit: Limit }) {
  const { language, merchant } = usePage();
  const { limits: words } = useOwn();
  const nameOf = useName();
  const alertTexts = useAlertTexts();
  const { timeZone, isOffered } = context;
  const { setBy, amount, raise, used, isReached, isMerchantLower, resetsAt } = limit;
  const isOwn = setBy === 'customer';
  const hasFigures = used !== null;
  const money = (decimal: string | null): string =>
    limit.currency === null
      ? countText(Number(decimal ?? 0), language)
      : decimalMoneyText(language, limit.currency, decimal ?? '0');
  const values = { used: money(used), amount: money(amount), raise: money(raise) };
  const figures = Number(raise ?? 0) === 0 ? words.of(values) : words.ofRaised(values);
  const most = Number(amount ?? 0) + Number(raise ?? 0);
  const name = isOwn ? nameOf(limit) : words.byMerchant({ merchant });
  const reset = resetsAt === null ? '' : words.resets({ time: momentText(language, resetsAt, timeZone) });
  const alert = limit.action === 'notify' ? alertTexts(limit, money) : null;
  const state = alert === null ? (isReached ? words.reached : '') : isOwn ? alert.tells : '';
  return (
    <li class={styles.meter}>
      <span class={styles.line}>
        <span>{name}</span>
        <span>{hasFigures ? figures : isReached ? '' : words.merchantOpen}</span>
      </span>
      {hasFigures && most > 0 ? (
        <progress class={styles.bar} max={most} value={Math.min(Number(used ?? 0), most)} aria-label={name} />
      ) : null}
      <Quiet>{[state, reset].filter((text) => text !== '').join(' ')}</Quiet>
      {alert === null || alert.reached === null ? null : <Reason>{alert.reached}</Reason>}
      {isMerchantLower ? <Reason>{words.merchantLower({ merchant })}</Reason> : null}
      {isOwn && isOffered ? <OwnActions limit={limit} {...context} /> : null}
    </li>
  );
}
