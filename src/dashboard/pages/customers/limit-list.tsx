import { useState } from 'react';
import { useData, useLive } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { storedDecimal, useLimitAmount } from '../../parts/limits/amounts.ts';
import { LimitBar } from '../../parts/limits/limit-bar.tsx';
import { replacementTerms } from '../../parts/limits/limit-draft.ts';
import { limitTitle, useLimitWords } from '../../parts/limits/limit-words.ts';
import {
  LimitCreateDocument,
  type LimitNowFragment,
  LimitRaiseEndDocument,
  type LimitTermsFragment,
} from '../../parts/limits/limits.graphql';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { CustomerLimitsChangedDocument, CustomerLimitsDocument } from './limits.graphql';

const LimitSheet = lazyPart(() =>
  import('../../parts/limits/limit-sheet.tsx').then((module) => module.LimitSheet),
);
const RaiseDialog = lazyPart(() =>
  import('../../parts/limits/raise-dialog.tsx').then((module) => module.RaiseDialog),
);

type RaiseOf = LimitNowFragment['raises'][number];

/** Dialog that is open above the limits. */
type Opened =
  | { readonly kind: 'edit'; readonly limit: LimitTermsFragment }
  | { readonly kind: 'replace' | 'exempt' | 'raise'; readonly state: LimitNowFragment }
  | { readonly kind: 'endRaise'; readonly state: LimitNowFragment; readonly raise: RaiseOf };

type Node = { readonly customerId: string; readonly budget: string | null };

/** Current raises of a limit, each with a button that ends it. */
function Raises({
  state,
  onEnd,
}: {
  readonly state: LimitNowFragment;
  readonly onEnd: (raise: RaiseOf) => void;
}) {
  const words = useLimitWords();
  const text = useLimitAmount(state);
  return state.raises.map((raise) => (
    <Row key={raise.id} justify="between">
      <Text size="sm">
        {words.raiseOf({ amount: text(storedDecimal(state.limit, raise.amount)) })}{' '}
        <DateTime at={raise.until} />
        {raise.reason !== null && ` · ${raise.reason}`}
      </Text>
      <Button size="sm" kind="quiet" onPress={() => onEnd(raise)}>
        {words.endRaise}
      </Button>
    </Row>
  ));
}

/** Buttons of a limit. Templates can be replaced for the customer or budget, or not applied to it. */
function Actions({
  state,
  open,
}: {
  readonly state: LimitNowFragment;
  readonly open: (what: Opened) => void;
}) {
  const words = useLimitWords();
  const { limit } = state;
  const isTemplate = limit.scope.each !== null;
  return (
    <Row gap={1}>
      {state.amount !== null && (
        <Button size="sm" onPress={() => open({ kind: 'raise', state })}>
          {words.raise}
        </Button>
      )}
      {isTemplate ? (
        <Menu
          size="sm"
          kind="quiet"
          label={words.change}
          items={[
            { id: 'replace', label: words.replace, onAction: () => open({ kind: 'replace', state }) },
            { id: 'exempt', label: words.makeExempt, onAction: () => open({ kind: 'exempt', state }) },
          ]}
        />
      ) : (
        <Button size="sm" kind="quiet" onPress={() => open({ kind: 'edit', limit })}>
          {words.edit}
        </Button>
      )}
    </Row>
  );
}

type DialogsProps = Node & {
  readonly opened: Opened;
  readonly currency: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function Dialogs({ opened, customerId, budget, currency, onClose, onDone }: DialogsProps) {
  const words = useLimitWords();
  const close = { onClose, onDone };
  if (opened.kind === 'raise') return <RaiseDialog customerId={customerId} state={opened.state} {...close} />;
  if (opened.kind === 'edit')
    return (
      <LimitSheet
        target={{ customer: customerId, budget }}
        limit={opened.limit}
        currency={currency}
        {...close}
      />
    );
  const { state } = opened;
  const target = { customer: customerId, budget: state.node.key };
  if (opened.kind === 'replace')
    return <LimitSheet target={target} limit={null} replaced={state.limit} currency={currency} {...close} />;
  if (opened.kind === 'endRaise')
    return (
      <AskDialog
        document={LimitRaiseEndDocument}
        input={{ id: state.limitId, raiseId: opened.raise.id }}
        title={words.endRaiseTitle}
        texts={[words.endRaiseText]}
        confirm={words.endRaise}
        done={words.raiseEnded}
        {...close}
      />
    );
  return (
    <AskDialog
      document={LimitCreateDocument}
      input={{
        scope: { customer: customerId, ...(target.budget !== null && { budget: target.budget }) },
        ...replacementTerms(state.limit),
      }}
      title={words.exemptTitle({ name: limitTitle(words, state.limit) })}
      texts={[words.exemptText]}
      confirm={words.makeExempt}
      done={words.exempted}
      {...close}
    />
  );
}

/** Returns the current limits of a customer, or of a budget and its parents. They follow usage live. */
function useLimits({ customerId: id, budget }: Node) {
  const [live, setLive] = useState<readonly LimitNowFragment[] | null>(null);
  const variables = { id, budget };
  const { data, error, refetch } = useData(CustomerLimitsDocument, variables);
  useLive(CustomerLimitsChangedDocument, variables, ({ limitStatesChanged }) => setLive(limitStatesChanged));
  const reload = () => {
    setLive(null);
    refetch();
  };
  return { states: live ?? data?.limitStates ?? null, error, reload };
}

type LimitListProps = Node & {
  readonly timeZone: string;
  readonly currency: string;
  readonly empty: string;
  readonly onChanged?: () => void;
};

/** Limits of a customer, or of a budget and its parents, as bars that follow usage live. */
export function LimitList({ customerId, budget, timeZone, currency, empty, onChanged }: LimitListProps) {
  const { states, error, reload } = useLimits({ customerId, budget });
  const [opened, open] = useState<Opened | null>(null);
  if (states === null)
    return error === null ? <Loading lines={4} /> : <DataError error={error} onRetry={reload} />;
  const done = () => {
    open(null);
    reload();
    onChanged?.();
  };
  return (
    <>
      {states.length === 0 ? (
        <Text as="p" color="muted">
          {empty}
        </Text>
      ) : (
        <Stack gap={6} as="ul">
          {states.map((state) => (
            <LimitBar
              key={`${state.limitId} ${state.node.key}`}
              state={state}
              timeZone={timeZone}
              actions={<Actions state={state} open={open} />}
            >
              <Raises state={state} onEnd={(raise) => open({ kind: 'endRaise', state, raise })} />
            </LimitBar>
          ))}
        </Stack>
      )}
      {opened !== null && (
        <Dialogs
          opened={opened}
          customerId={customerId}
          budget={budget}
          currency={currency}
          onClose={() => open(null)}
          onDone={done}
        />
      )}
    </>
  );
}
