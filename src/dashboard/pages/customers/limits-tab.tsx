import { useState } from 'react';
import { addressOf } from '../../address.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Section } from '../../kit/page.tsx';
import { HoldList } from '../../parts/limits/hold-list.tsx';
import { useLimitWords } from '../../parts/limits/limit-words.ts';
import type { SubscriptionTermsFragment } from '../../parts/subscription/terms.graphql';
import { BudgetsSection } from './budgets-section.tsx';
import { LimitList } from './limit-list.tsx';
import { PlanLimits } from './plan-limits.tsx';
import { TryQuantity } from './try-quantity.tsx';
import { WaitingLimits } from './waiting-limits.tsx';

const LimitSheet = lazyPart(() =>
  import('../../parts/limits/limit-sheet.tsx').then((module) => module.LimitSheet),
);

type LimitsTabProps = {
  readonly id: string;
  readonly timeZone: string;
  readonly subscription: SubscriptionTermsFragment | null;
};

/** Limits of a customer with their current values, the customer's open holds and budgets, and a check of a quantity. */
export function LimitsTab({ id, timeZone, subscription }: LimitsTabProps) {
  const words = useLimitWords();
  const [isCreating, setCreating] = useState(false);
  const [round, setRound] = useState(0);
  const currency = subscription?.currency ?? 'usd';
  return (
    <Stack gap={8}>
      <Section
        title={words.limits}
        actions={
          <>
            <LinkButton size="sm" kind="quiet" href={addressOf('usageLimits', null, { customer: id })}>
              {words.historyOf}
            </LinkButton>
            <Button size="sm" onPress={() => setCreating(true)}>
              {words.createLimit}
            </Button>
          </>
        }
      >
        <LimitList
          key={round}
          customerId={id}
          budget={null}
          timeZone={timeZone}
          currency={currency}
          empty={subscription === null ? words.noSubscription : words.noLimits}
        />
        <WaitingLimits key={`waiting ${round}`} id={id} onChanged={() => setRound(round + 1)} />
      </Section>
      {subscription !== null && <PlanLimits id={id} timeZone={timeZone} />}
      <Section
        title={words.holds.title}
        actions={
          <LinkButton
            size="sm"
            kind="quiet"
            href={addressOf('usageHolds', null, { customer: id, status: 'all' })}
          >
            {words.holds.view}
          </LinkButton>
        }
      >
        <HoldList customerId={id} status="open" />
      </Section>
      <BudgetsSection id={id} timeZone={timeZone} currency={currency} />
      {subscription !== null && <TryQuantity id={id} subscription={subscription} />}
      {isCreating && (
        <LimitSheet
          target={{ customer: id, budget: null }}
          limit={null}
          currency={currency}
          onClose={() => setCreating(false)}
          onDone={() => {
            setCreating(false);
            setRound(round + 1);
          }}
        />
      )}
    </Stack>
  );
}
