import { useState } from 'react';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Row } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { limitTitle, useLimitWords } from '../../parts/limits/limit-words.ts';
import type { LimitTermsFragment } from '../../parts/limits/limits.graphql';
import { CustomerStoredLimitsDocument } from './limits.graphql';

const LimitSheet = lazyPart(() =>
  import('../../parts/limits/limit-sheet.tsx').then((module) => module.LimitSheet),
);

/** Limits of a customer that don't apply at the moment, because their time hasn't come or has passed. */
export function WaitingLimits({ id, onChanged }: { readonly id: string; readonly onChanged: () => void }) {
  const words = useLimitWords();
  const { now } = useKit();
  const { data } = useData(CustomerStoredLimitsDocument, { id });
  const [edited, edit] = useState<LimitTermsFragment | null>(null);
  const at = now().toISOString();
  const waiting = (data?.limits.nodes ?? []).filter(
    ({ scope, validFrom, validUntil }) =>
      scope.customer !== null &&
      scope.budget === null &&
      (validFrom > at || (validUntil !== null && validUntil <= at)),
  );
  return (
    <>
      {waiting.map((limit) => (
        <Row key={limit.id} justify="between">
          <Text color="muted">
            {limitTitle(words, limit)} · {limit.validFrom > at ? words.starts : words.ended}{' '}
            <DateTime at={limit.validFrom > at ? limit.validFrom : (limit.validUntil ?? limit.validFrom)} />
          </Text>
          <Button size="sm" kind="quiet" onPress={() => edit(limit)}>
            {words.edit}
          </Button>
        </Row>
      ))}
      {edited !== null && (
        <LimitSheet
          target={{ customer: id, budget: null }}
          limit={edited}
          currency={edited.currency ?? 'usd'}
          onClose={() => edit(null)}
          onDone={onChanged}
        />
      )}
    </>
  );
}
