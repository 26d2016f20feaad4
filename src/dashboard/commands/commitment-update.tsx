import { useEffect, useEffectEvent } from 'react';
import { dateText } from '../../ui/format/dates.ts';
import { moneyText } from '../../ui/format/money.ts';
import { useData } from '../data/hooks.ts';
import { Stack } from '../kit/layout.tsx';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import {
  ChoiceCommitmentDocument,
  type CommitmentRowFragment,
} from '../parts/subscription/commitments.graphql';
import { defineCommand, type FieldsProps } from './command.ts';
import { CommandCommitmentUpdateDocument } from './commands.graphql';
import { type TermEnd, TermEndFields } from './commitment-fields.tsx';
import { useCommandWords } from './fields.tsx';

type Values = {
  readonly id: string;
  /** `null` if the commitment isn't loaded yet. */
  readonly end: TermEnd | null;
};

/** Returns a commitment. `null` if it isn't loaded yet. */
function useCommitment(id: string): CommitmentRowFragment | null {
  const { data } = useData(ChoiceCommitmentDocument, { id }, { isPaused: id === '' });
  return data?.node?.__typename === 'Commitment' ? data.node : null;
}

function Fields({ values: { id, end }, change, fill }: FieldsProps<Values>) {
  const commitment = useCommitment(id);
  const take = useEffectEvent(({ atEnd, autoRenew }: TermEnd) => fill({ end: { atEnd, autoRenew } }));
  useEffect(() => {
    if (end === null && commitment !== null) take(commitment);
  }, [end, commitment]);
  return end === null ? null : (
    <TermEndFields values={end} change={(part) => change({ end: { ...end, ...part } })} />
  );
}

/** Describes the charge and the remaining amount at the end of the term. */
function Consequence({ values: { id, end }, subject }: FieldsProps<Values>) {
  const { commitments: words } = useCommandWords();
  const settings = useKit();
  const commitment = useCommitment(id);
  if (commitment === null || end === null) return null;
  const day = dateText(commitment.expiresAt ?? '', settings);
  const price = moneyText(commitment.price, subject.subscription?.currency ?? 'usd', settings.locale);
  return (
    <Stack gap={2}>
      <Text as="p">{end.autoRenew ? words.renews({ day, price }) : words.stops({ day })}</Text>
      <Text as="p">{words.rest[end.atEnd]}</Text>
    </Stack>
  );
}

export const commitmentUpdate = defineCommand({
  name: 'commitmentUpdate',
  group: 'allowances',
  // The list of commitments opens the form for one of them.
  applies: ({ target }) => target !== undefined,
  initial: ({ target }): Values => ({ id: target ?? '', end: null }),
  Fields,
  Consequence,
  input: ({ id, end }) => (end === null ? null : { id, ...end }),
  document: CommandCommitmentUpdateDocument,
});
