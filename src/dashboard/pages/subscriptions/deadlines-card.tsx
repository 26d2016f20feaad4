import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import type { SubscriptionPageQuery } from '../../parts/subscription/subscription.graphql';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { useTerms } from '../../parts/terms.ts';

type Deadlines = SubscriptionPageQuery['subscription']['deadlines'];

/** Lists the automatic changes that are scheduled for a subscription. */
export function DeadlinesCard({ deadlines }: { readonly deadlines: Deadlines }) {
  const { page: words } = useSubscriptionWords();
  const terms = useTerms();
  const shown = deadlines.filter(({ kind }) => kind !== 'daily_scan');
  return (
    <Card title={words.ahead}>
      {shown.length === 0 && <Text color="muted">{words.nothingAhead}</Text>}
      <Stack gap={2}>
        {shown.map(({ kind, dueAt, isWaiting, hasFailed }) => (
          <Row key={kind} justify="between">
            <Text>{terms.deadline[kind]}</Text>
            <Text size="sm" color="muted">
              <DateTime at={dueAt} />
              {isWaiting && ` · ${words.waiting}`}
              {hasFailed && ` · ${words.failedOnce}`}
            </Text>
          </Row>
        ))}
      </Stack>
    </Card>
  );
}
