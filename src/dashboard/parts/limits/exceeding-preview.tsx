import { useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { useAmounts } from './limit-bar.tsx';
import { useLimitWords } from './limit-words.ts';
import {
  type LimitCreateMutationVariables,
  LimitCreatePreviewDocument,
  type LimitExceedingNowFragment,
  type LimitUpdateMutationVariables,
  LimitUpdatePreviewDocument,
} from './limits.graphql';

type Exceeding = LimitExceedingNowFragment['exceeding'];

/** Limit to compare: the parameters of a new limit, or the changes to a limit. */
export type Compared =
  | { readonly create: LimitCreateMutationVariables['input'] }
  | { readonly update: LimitUpdateMutationVariables['input'] };

/** A dry run returns the response and changes nothing. */
const dryRun = { headers: { 'x-quittance-dry-run': '1' } } as const;

/** Customer or budget whose usage exceeds the limit, with its value. */
function ExceedingRow({ of: { customer, state } }: { readonly of: Exceeding['nodes'][number] }) {
  const words = useLimitWords();
  const { value } = useAmounts(state);
  const name = customer === null ? words.customersTogether : customer.fullName || customer.email;
  return (
    <Row as="li" justify="between">
      <Text size="sm">{state.node.key === null ? name : `${name} · ${state.node.key}`}</Text>
      <Text size="sm" color="muted">
        {value}
      </Text>
    </Row>
  );
}

/** Button that compares the limit in the form with current usage, and the customers or budgets that exceed the limit. */
export function ExceedingPreview({ of }: { readonly of: () => Compared }) {
  const { exceeding: words } = useLimitWords();
  const [create, creating] = useAction(LimitCreatePreviewDocument, dryRun);
  const [update, updating] = useAction(LimitUpdatePreviewDocument, dryRun);
  const [found, setFound] = useState<Exceeding | null>(null);
  const compare = async (): Promise<void> => {
    setFound(null);
    const compared = of();
    if ('create' in compared) {
      const answer = await create({ input: compared.create });
      if (!(answer instanceof ApiError)) setFound(answer.limitCreate.exceeding);
    } else {
      const answer = await update({ input: compared.update });
      if (!(answer instanceof ApiError)) setFound(answer.limitUpdate.exceeding);
    }
  };
  const error = creating.error ?? updating.error;
  return (
    <Stack gap={2}>
      <Button size="sm" isPending={creating.isRunning || updating.isRunning} onPress={() => void compare()}>
        {words.compare}
      </Button>
      {error !== null && <Callout tone="negative">{error.message}</Callout>}
      {found !== null && (
        <Callout tone={found.count === 0 ? 'positive' : 'warning'}>
          <Stack gap={2}>
            <Text>{words.count({ count: found.count })}</Text>
            {!found.isComplete && <Text size="sm">{words.partly({ compared: String(found.compared) })}</Text>}
            {found.nodes.length > 0 && (
              <Stack gap={1} as="ul">
                {found.nodes.map((node) => (
                  <ExceedingRow key={`${node.customer?.id} ${node.state.node.key}`} of={node} />
                ))}
              </Stack>
            )}
          </Stack>
        </Callout>
      )}
    </Stack>
  );
}
