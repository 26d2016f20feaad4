import { usePage } from '../data/current-page.ts';
import { typed } from '../data/field-values.ts';
import { run } from '../data/service.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/field.tsx';
import {
  AmountField,
  type Context,
  type Limit,
  LimitLine,
  measures,
  useAmountField,
  windows,
} from './limit-line.tsx';
import { Actions, Card, Quiet } from './parts.tsx';
import styles from './portal.module.css';
import { useOwn } from './portal-words.ts';
import { MoreBudgetsDocument, type PortalBudgetsFragment, SetLimitDocument } from './sections/usage.graphql';
import { useMore } from './use-more.ts';

type Budget = PortalBudgetsFragment['nodes'][number];

/** Returns one of the values that a select field offers. */
const chosen = <Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value =>
  values.find((value) => value === typed(name)) ?? values[0];

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
