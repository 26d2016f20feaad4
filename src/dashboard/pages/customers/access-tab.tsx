import { plainText } from '../../../ui/format/names.ts';
import { useData } from '../../data/hooks.ts';
import { Status } from '../../kit/badge.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { useTerms } from '../../parts/terms.ts';
import { CustomerAccessDocument, type CustomerAccessQuery } from './tabs.graphql';

type Access = CustomerAccessQuery['customer']['featureAccess']['nodes'][number];

/** Lists the features that a customer can currently use, with the reason for each. */
export function AccessTab({ id }: { readonly id: string }) {
  const { access: words } = useCustomerWords();
  const terms = useTerms();
  const { data, error } = useData(CustomerAccessDocument, { id });
  if (error?.code === 'no_active_subscription') return <Text color="muted">{words.none}</Text>;
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  const answer = ({ allowed, canUse }: Access) => {
    if (!allowed || !canUse.allowed) return <Status tone="negative">{words.no}</Status>;
    return canUse.willBeCharged ? (
      <Status tone="warning">{words.charged}</Status>
    ) : (
      <Status tone="positive">{words.yes}</Status>
    );
  };
  return (
    <Table
      label={words.feature}
      rows={data.customer.featureAccess.nodes}
      rowKey={({ code }) => code}
      empty={words.none}
      columns={[
        { id: 'feature', title: words.feature, cell: ({ name }) => name },
        {
          id: 'kind',
          title: words.kind,
          priority: 'secondary',
          cell: ({ type }) => <Text color="muted">{terms.featureType[type]}</Text>,
        },
        { id: 'allowed', title: words.allowed, cell: answer },
        {
          id: 'reason',
          title: words.reason,
          cell: ({ canUse }) => canUse.reason && plainText(canUse.reason),
        },
      ]}
    />
  );
}
