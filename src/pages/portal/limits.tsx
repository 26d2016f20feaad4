import { dateTimeText } from '../../ui/format/dates.ts';
import { amountText, parseMoney } from '../../ui/format/money.ts';
import { usePage } from '../data/current-page.ts';
import { fieldElement, typed } from '../data/field-values.ts';
import { run } from '../data/service.ts';
import { Button } from '../parts/button.tsx';
import { Choice, Field } from '../parts/field.tsx';
import { Actions, Card, Quiet, Reason } from './parts.tsx';
import styles from './portal.module.css';
import { useOwn } from './portal-words.ts';
import {
  MoreBudgetsDocument,
  type PortalBudgetsFragment,
  type PortalLimitLineFragment,
  RaiseLimitDocument,
  RemoveLimitDocument,
  SetLimitDocument,
} from './sections/usage.graphql';
import { useMore } from './use-more.ts';
import type { PortalActions } from './use-portal.ts';

type Limit = PortalLimitLineFragment;
type Budget = PortalBudgetsFragment['nodes'][number];

type Context = {
  readonly currency: string;
  readonly timeZone: string;
  /** Whether customers can set limits. */
  readonly isOffered: boolean;
  readonly actions: PortalActions;
};

const measures = ['spend', 'value'] as const;
const windows = ['usage_window', 'day', 'week', 'month'] as const;

/** Returns one of the values that a select field offers. */
const chosen = <Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value =>
  values.find((value) => value === typed(name)) ?? values[0];

/** Reads an amount in minor units from a field, and marks the field if the amount is invalid. */
function useAmountField({ currency, actions }: Context) {
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
  return ({ measure, window }) => {
    const span = windows.find((each) => each === window) ?? 'other';
    const name = measures.find((each) => each === measure) ?? 'other';
    return words.names[name]({ window: words.windows[span] });
  };
}

/** Field for the amount of a dialog. */
const AmountField = ({
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

/** Buttons that raise and remove a limit that the customer set. */
function OwnActions({ limit, ...context }: Context & { readonly limit: Limit }) {
  const { limits: words } = useOwn();
  const nameOf = useName();
  const read = useAmountField(context);
  const { actions } = context;
  const { limitId } = limit;
  if (limitId === null) return null;
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
      title: words.removeTitle,
      text: words.removeText,
      label: words.removeLimit,
      cardFor: null,
      act: () =>
        actions.attempt(async () => actions.send('limitRemove', RemoveLimitDocument, { limitId }), {
          done: words.removed,
        }),
    });
  const name = nameOf(limit);
  return (
    <Actions>
      <Button
        kind="quiet"
        disabled={actions.steps.isBusy}
        aria-label={`${words.raise}: ${name}`}
        onClick={raise}
      >
        {words.raise}
      </Button>
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

/** Limit with its usage and reset time. The figures of the merchant's limits aren't shown. */
function LimitLine({ limit, ...context }: Context & { readonly limit: Limit }) {
  const { language, merchant } = usePage();
  const { limits: words } = useOwn();
  const nameOf = useName();
  const { currency, timeZone, isOffered } = context;
  const { setBy, amount, raise, used, isReached, isMerchantLower, resetsAt } = limit;
  const isOwn = setBy === 'customer';
  const money = (decimal: string | null): string =>
    amountText(decimal ?? '0', limit.currency ?? currency, language);
  const values = { used: money(used), amount: money(amount), raise: money(raise) };
  const figures = Number(raise ?? 0) === 0 ? words.of(values) : words.ofRaised(values);
  const most = Number(amount ?? 0) + Number(raise ?? 0);
  const name = isOwn ? nameOf(limit) : words.byMerchant({ merchant });
  const reset =
    resetsAt === null ? '' : words.resets({ time: dateTimeText(resetsAt, { locale: language, timeZone }) });
  return (
    <li class={styles.meter}>
      <span class={styles.line}>
        <span>{name}</span>
        <span>{isOwn ? figures : isReached ? '' : words.merchantOpen}</span>
      </span>
      {isOwn && most > 0 ? (
        <progress class={styles.bar} max={most} value={Math.min(Number(used ?? 0), most)} aria-label={name} />
      ) : null}
      <Quiet>{[isReached ? words.reached : '', reset].filter((text) => text !== '').join(' ')}</Quiet>
      {isMerchantLower ? <Reason>{words.merchantLower({ merchant })}</Reason> : null}
      {isOwn && isOffered ? <OwnActions limit={limit} {...context} /> : null}
    </li>
  );
}

/** Form that sets a cap on all usage of the customer. */
function CapForm(context: Context) {
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
    <form
      id="cap-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset class={styles.form} disabled={actions.steps.isBusy} aria-label={words.newTitle}>
        <Choice name="capMeasure" label={words.measure} problems={actions.steps.problems}>
          {measures.map((value) => (
            <option key={value} value={value}>
              {words.measures[value]}
            </option>
          ))}
        </Choice>
        <Choice name="capWindow" label={words.window} problems={actions.steps.problems}>
          {windows.map((value) => (
            <option key={value} value={value}>
              {words.windowNames[value]}
            </option>
          ))}
        </Choice>
        <AmountField name="capAmount" label={words.amount} actions={actions} />
        <Button type="submit" kind="quiet">
          {words.set}
        </Button>
      </fieldset>
    </form>
  );
}

/** Budget of the customer with its limits, and a button that sets a cap on its usage. */
function BudgetItem({ budget, ...context }: Context & { readonly budget: Budget }) {
  const { limits: words } = useOwn();
  const read = useAmountField(context);
  const { actions, isOffered } = context;
  const { key, parentKey, limits } = budget;
  const name = budget.name ?? key;
  const own = limits.find(({ setBy }) => setBy === 'customer');
  const set = (): void =>
    actions.ask({
      title: words.budgetTitle({ name }),
      text: words.budgetAsk({ name }),
      label: words.set,
      cardFor: null,
      details: <AmountField name="budgetAmount" label={words.amount} actions={actions} />,
      act: () => {
        const amount = read('budgetAmount', 0);
        if (amount === null) return;
        const input = { measure: 'value', amount, budget: key } as const;
        actions.attempt(async () => actions.send('limitSet', SetLimitDocument, input), { done: words.done });
      },
    });
  return (
    <li class={styles.meter}>
      <span class={styles.line}>
        <strong>{name}</strong>
        <span class={styles.quiet}>
          {[budget.name === null ? '' : key, parentKey === null ? '' : words.within({ parent: parentKey })]
            .filter((text) => text !== '')
            .join(' · ')}
        </span>
      </span>
      {limits.length === 0 ? (
        <Quiet>{words.noLimit}</Quiet>
      ) : (
        <ul class={styles.list}>
          {limits.map((limit, index) => (
            <LimitLine key={limit.limitId ?? index} limit={limit} {...context} />
          ))}
        </ul>
      )}
      {isOffered && own === undefined ? (
        <Actions>
          <Button
            kind="quiet"
            disabled={actions.steps.isBusy}
            aria-label={`${words.set}: ${name}`}
            onClick={set}
          >
            {words.set}
          </Button>
        </Actions>
      ) : null}
    </li>
  );
}

/** Card with the budgets of the customer. */
function Budgets({ first, ...context }: Context & { readonly first: PortalBudgetsFragment }) {
  const { token } = usePage();
  const { limits: words } = useOwn();
  const { nodes, hasMore, isBusy, load } = useMore(
    first,
    async (after) => (await run(MoreBudgetsDocument, { token, after })).portalUsageLimits.budgets,
  );
  if (nodes.length === 0) return null;
  return (
    <Card id="budgets" title={words.budgets}>
      <Quiet>{words.budgetText}</Quiet>
      <ul class={styles.list}>
        {nodes.map((budget) => (
          <BudgetItem key={budget.key} budget={budget} {...context} />
        ))}
      </ul>
      {hasMore ? (
        <Button kind="quiet" disabled={isBusy} onClick={load}>
          {words.more}
        </Button>
      ) : null}
    </Card>
  );
}

type LimitsProps = Context & {
  readonly limits: readonly Limit[];
  readonly budgets: PortalBudgetsFragment;
};

/** Limits on the customer's usage, the form for a spend cap, and the customer's budgets. */
export function Limits({ limits, budgets, ...context }: LimitsProps) {
  const { limits: words } = useOwn();
  const { isOffered } = context;
  return (
    <>
      {limits.length === 0 && !isOffered ? null : (
        <Card id="limits" title={words.title}>
          <Quiet>{limits.length === 0 ? words.none : words.text}</Quiet>
          <ul id="limit-list" class={styles.list}>
            {limits.map((limit, index) => (
              <LimitLine key={limit.limitId ?? index} limit={limit} {...context} />
            ))}
          </ul>
        </Card>
      )}
      {isOffered ? (
        <Card id="cap" title={words.newTitle}>
          <Quiet>{words.newText}</Quiet>
          <CapForm {...context} />
        </Card>
      ) : null}
      <Budgets first={budgets} {...context} />
    </>
  );
}
