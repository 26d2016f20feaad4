import { useState } from 'react';
import { useData, useLive } from '../../data/hooks.ts';
import { Badge } from '../../kit/badge.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Section } from '../../kit/page.tsx';
import { useLimitAmount } from '../../parts/limits/amounts.ts';
import { LimitFrame, shareOf, useAmounts } from '../../parts/limits/limit-bar.tsx';
import { useLimitWords } from '../../parts/limits/limit-words.ts';
import { DataError } from '../../shell/data-error.tsx';
import type { PlanLimitNowFragment } from './limits.graphql';
import { CustomerPlanLimitsChangedDocument, CustomerPlanLimitsDocument } from './limits.graphql';

type BarProps = { readonly limit: PlanLimitNowFragment; readonly timeZone: string };

/** Current value of a limit from the plan, with its effect, its events, and its reset time. */
function PlanLimitBar({ limit, timeZone }: BarProps) {
  const words = useLimitWords();
  const { measure, action, feature, resetsAt, thresholds } = limit;
  const state = { ...limit, raise: '0' };
  const text = useLimitAmount(limit);
  const { value, left, held } = useAmounts(state);
  const amounts = thresholds.map(({ amount }) => text(amount)).join(', ');
  return (
    <LimitFrame
      badges={<Badge tone={action === 'block' ? 'warning' : 'neutral'}>{words.actions[action]}</Badge>}
      title={feature ?? words.measures[measure]}
      share={feature === null ? null : shareOf(state)}
      value={value}
      details={[left, held, amounts === '' ? null : words.eventsAt({ amounts })]}
      resetsAt={resetsAt}
      timeZone={timeZone}
    />
  );
}

/** False for a feature of which all units are overage. */
const includesUnits = ({ feature, action, amount }: PlanLimitNowFragment): boolean =>
  feature === null || action === 'block' || Number(amount) > 0;

/** Limits from the terms of a customer's plan and add-ons. Their values follow usage live. Hidden if the plan has no limits. */
export function PlanLimits({ id, timeZone }: { readonly id: string; readonly timeZone: string }) {
  const words = useLimitWords();
  const [live, setLive] = useState<readonly PlanLimitNowFragment[] | null>(null);
  const { data, error, refetch } = useData(CustomerPlanLimitsDocument, { id });
  useLive(CustomerPlanLimitsChangedDocument, { id }, ({ planLimitsChanged }) => setLive(planLimitsChanged));
  const limits = (live ?? data?.planLimits ?? []).filter(includesUnits);
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (limits.length === 0) return null;
  return (
    <Section title={words.planLimits} description={words.planLimitsText}>
      <Stack gap={6} as="ul">
        {limits.map((limit) => (
          <PlanLimitBar key={limit.feature ?? limit.unit} limit={limit} timeZone={timeZone} />
        ))}
      </Stack>
    </Section>
  );
}
