import { Badge } from '../../kit/badge.tsx';
import { Row } from '../../kit/layout.tsx';
import { useLimitWords } from './limit-words.ts';
import type { LimitTermsFragment } from './limits.graphql';

/** Labels for the effect and the origin of a limit. */
export function LimitBadges({ limit }: { readonly limit: LimitTermsFragment }) {
  const words = useLimitWords();
  const { action, amount, replaces, scope, setBy } = limit;
  const isExempt = replaces !== null && amount === null;
  return (
    <Row gap={2}>
      {isExempt ? (
        <Badge>{words.exempt}</Badge>
      ) : (
        <Badge tone={action === 'block' ? 'warning' : 'neutral'}>{words.actions[action]}</Badge>
      )}
      {scope.each !== null && <Badge>{words.template}</Badge>}
      {setBy === 'customer' && <Badge tone="info">{words.byCustomer}</Badge>}
    </Row>
  );
}
