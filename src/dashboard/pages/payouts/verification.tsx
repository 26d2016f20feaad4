import { useState } from 'react';
import type { ResultOf } from '../../../ui/documents.ts';
import { dateText } from '../../../ui/format/dates.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction, useData } from '../../data/hooks.ts';
import { useHasRole } from '../../data/viewer.ts';
import { Status } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form } from '../../kit/form.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { DataError } from '../../shell/data-error.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import {
  PayoutVerificationDocument,
  type PayoutVerificationQuery,
  SubmitVerificationDocument,
} from './page.graphql';
import { VerificationField } from './verification-field.tsx';
import {
  fieldsOf,
  inputOf,
  isComplete,
  type Step,
  steps,
  stepWith,
  type Typed,
} from './verification-fields.ts';

type State = PayoutVerificationQuery['payoutVerification'];

/**
 * Form for verifying the organization, which is required for payouts. Only the owner can complete the
 * verification.
 */
export function Verification({ onClose }: { readonly onClose: () => void }) {
  const words = useWords('payouts');
  const isOwner = useHasRole('owner');
  const { data, error, refetch } = useData(PayoutVerificationDocument, {}, { isPaused: !isOwner });
  const state = data?.payoutVerification ?? null;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      size="lg"
      title={words.verification}
      status={state !== null && <Status>{words.verificationStatuses[state.status]}</Status>}
    >
      {!isOwner && <Callout>{words.verificationOwner}</Callout>}
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {isOwner && state === null && error === null && <Loading lines={6} />}
      {state !== null && <Shown state={state} onChanged={refetch} />}
    </Sheet>
  );
}

function Shown({ state, onChanged }: { readonly state: State; readonly onChanged: () => void }) {
  const kit = useKit();
  const words = useWords('payouts');
  if (state.status === 'approved')
    return <Callout tone="positive">{words.verificationStatuses.approved}</Callout>;
  if (state.status === 'pending')
    return (
      <Callout>
        {words.verificationPending({
          date: state.submittedAt === null ? '' : dateText(state.submittedAt, kit),
        })}
      </Callout>
    );
  return (
    <Stack gap={5}>
      {state.status === 'rejected' ? (
        <Callout tone="negative" title={words.verificationRejected}>
          {state.reasons.map(({ field, message }) => (
            <Text key={`${field ?? ''} ${message}`} as="p">
              {message}
            </Text>
          ))}
        </Callout>
      ) : (
        <Text as="p">{words.verificationText}</Text>
      )}
      <Steps onDone={onChanged} />
    </Stack>
  );
}

/** Form in steps. Typed values are preserved when the step changes. */
function Steps({ onDone }: { readonly onDone: () => void }) {
  const words = useWords('payouts');
  const [step, setStep] = useState<Step>('business');
  const [submit, { isRunning, error }] = useAction(SubmitVerificationDocument);
  const draft = useDraft<Typed, ResultOf<typeof SubmitVerificationDocument> | ApiError>(
    {},
    {
      isReady: (typed) => isComplete(step, typed),
      send: async (typed) => {
        const result = await submit({ input: inputOf(typed) });
        if (!(result instanceof ApiError)) return result;
        const wrong = stepWith(result.details.map(({ field }) => field));
        if (wrong !== null) setStep(wrong);
        return result;
      },
      onDone,
    },
  );
  const at = steps.indexOf(step);
  const next = steps[at + 1];
  const previous = steps[at - 1];
  const proceed = () => {
    if (next === undefined) draft.submit();
    else if (draft.isReady) setStep(next);
  };
  return (
    <Form draft={draft} onSubmit={proceed} errors={error?.details ?? []}>
      <Stack>
        <Text color="muted" size="sm">
          {steps.map((name, index) => `${index + 1}. ${words.steps[name]}`).join(' · ')}
        </Text>
        <Text weight="medium">{words.steps[step]}</Text>
        {fieldsOf[step].map((field) => (
          <VerificationField
            key={field.name}
            field={field}
            value={draft.values[field.name] ?? ''}
            onChange={(value) => draft.change({ [field.name]: value })}
          />
        ))}
        <Rejection error={error} />
        <Row justify="between">
          {previous === undefined ? (
            <span />
          ) : (
            <Button onPress={() => setStep(previous)}>{words.back}</Button>
          )}
          <Button kind="primary" type="submit" isDisabled={!draft.isReady} isPending={isRunning}>
            {next === undefined ? words.send : words.next}
          </Button>
        </Row>
      </Stack>
    </Form>
  );
}
