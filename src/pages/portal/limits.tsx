import { usePage } from '../data/current-page.ts';
import { run } from '../data/service.ts';
import { Button } from '../parts/button.tsx';
import { AmountField, type Context, type Limit, LimitLine, useAmountField } from './limit-line.tsx';
import { AlertFields, AlertForm, CapForm, useAlertFields } from './own-limit-forms.tsx';
import { Actions, Card, Quiet } from './parts.tsx';
import styles from './portal.module.css';
import { useOwn } from './portal-words.ts';
import { MoreBudgetsDocument, type PortalBudgetsFragment, SetLimitDocument } from './sections/usage.graphql';
import { useMore } from './use-more.ts';

type Budget = PortalBudgetsFragment['nodes'][number];

/** Buttons that set a cap or an alert on the usage of a budget. */
function BudgetActions({
  budget,
  name,
  ...context
}: Context & { readonly budget: Budget; readonly name: string }) {
  const { limits: words } = useOwn();
  const read = useAmountField(context);
  const readAlert = useAlertFields(context);
  const { actions } = context;
  const common = { measure: 'value', budget: budget.key } as const;
  const setCap = (): void =>
    actions.ask({
      title: words.budgetTitle({ name }),
      text: words.budgetAsk({ name }),
      label: words.set,
      cardFor: null,
      details: <AmountField name="budgetAmount" label={words.amount} actions={actions} />,
      act: () => {
        const amount = read('budgetAmount', 0);
        if (amount === null) return;
        const input = { ...common, amount };
        actions.attempt(async () => actions.send('limitSet', SetLimitDocument, input), { done: words.done });
      },
    });
  const setAlert = (): void =>
    actions.ask({
      title: words.budgetAlertTitle({ name }),
      text: words.budgetAlertAsk({ name }),
      label: words.setAlert,
      cardFor: null,
      details: <AlertFields id="budgetAlert" actions={actions} />,
      act: () => {
        const alert = readAlert('budgetAlert');
        if (alert === null) return;
        const input = { ...common, ...alert };
        actions.attempt(async () => actions.send('limitSet', SetLimitDocument, input), {
          done: words.alertDone,
        });
      },
    });
  return (
    <Actions>
      <Button
        kind="quiet"
        disabled={actions.steps.isBusy}
        aria-label={`${words.set}: ${name}`}
        onClick={setCap}
      >
        {words.set}
      </Button>
      <Button
        kind="quiet"
        disabled={actions.steps.isBusy}
        aria-label={`${words.setAlert}: ${name}`}
        onClick={setAlert}
      >
        {words.setAlert}
      </Button>
    </Actions>
  );
}

/** Budget of the customer with its limits, and buttons that set a limit on its usage. */
function BudgetItem({ budget, ...context }: Context & { readonly budget: Budget }) {
  const { limits: words } = useOwn();
  const { key, parentKey, limits } = budget;
  const name = budget.name ?? key;
  const hasOwn = limits.some(({ setBy }) => setBy === 'customer');
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
      {context.isOffered && !hasOwn ? <BudgetActions budget={budget} name={name} {...context} /> : null}
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

/** Limits on the customer's usage, the forms for a spend cap and an alert, and the customer's budgets. */
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
      {isOffered ? (
        <Card id="alert" title={words.newAlert}>
          <Quiet>{words.newAlertText}</Quiet>
          <AlertForm {...context} />
        </Card>
      ) : null}
      <Budgets first={budgets} {...context} />
    </>
  );
}
