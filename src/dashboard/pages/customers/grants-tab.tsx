import { useCommandAddress } from '../../commands/actions.tsx';
import { useData } from '../../data/hooks.ts';
import { Status } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { DateText, DateTime } from '../../kit/values.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { useTerms } from '../../parts/terms.ts';
import { CustomerGrantsDocument, type CustomerGrantsQuery } from './tabs.graphql';

type Grant = CustomerGrantsQuery['customer']['planGrants']['nodes'][number];

const tones = { active: 'positive', expired: 'neutral', revoked: 'neutral' } as const;

function GrantCard({ grant }: { readonly grant: Grant }) {
  const { grants: words } = useCustomerWords();
  const terms = useTerms();
  const { open } = useCommandAddress();
  return (
    <Card
      title={
        <Row gap={2}>
          {grant.plan.name}
          <Status tone={tones[grant.status]}>{terms.grantStatus[grant.status]}</Status>
        </Row>
      }
      actions={
        grant.status === 'active' && (
          <>
            <Button size="sm" onPress={() => open('planGrantUpdate', grant.id)}>
              {words.change}
            </Button>
            <Button size="sm" onPress={() => open('planGrantRevoke', grant.id)}>
              {words.revoke}
            </Button>
          </>
        )
      }
    >
      <Stack gap={4}>
        <FactList
          look="grid"
          items={[
            { label: words.base, value: grant.basePlan.name },
            { label: words.starts, value: <DateText at={grant.startsAt} /> },
            {
              label: words.ends,
              value: grant.expiresAt ? <DateText at={grant.expiresAt} /> : words.open,
            },
            { label: words.reason, value: grant.reason },
          ]}
        />
        <Stack gap={1}>
          {grant.events.map((event) => (
            <Text key={event.eventId} size="sm" color="muted">
              <DateTime at={event.createdAt} /> · {terms.grantEvent[event.type]} ·{' '}
              {terms.source[event.source]}
              {event.reason !== '' && ` · ${event.reason}`}
            </Text>
          ))}
        </Stack>
      </Stack>
    </Card>
  );
}

/** Lists a customer's plan grants with the history of each. */
export function GrantsTab({ id }: { readonly id: string }) {
  const { grants: words } = useCustomerWords();
  const { data, error } = useData(CustomerGrantsDocument, { id });
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  const grants = data.customer.planGrants.nodes;
  return grants.length === 0 ? (
    <Text color="muted">{words.none}</Text>
  ) : (
    <Stack gap={5}>
      {grants.map((grant) => (
        <GrantCard key={grant.id} grant={grant} />
      ))}
    </Stack>
  );
}
