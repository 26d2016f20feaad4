import { useId, useState } from 'react';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { RadioGroup } from '../../kit/choice.tsx';
import { Form } from '../../kit/form.tsx';
import { Grow, Stack } from '../../kit/layout.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { LimitAmountField } from './amount-field.tsx';
import { AnomalyFields } from './anomaly-fields.tsx';
import { ExceedingPreview } from './exceeding-preview.tsx';
import {
  actionsOf,
  bpsIn,
  canReportUnusual,
  createInput,
  hasPlainThresholds,
  initialValues,
  isComplete,
  type LimitTarget,
  type LimitValues,
  shownUnit,
  updateInput,
} from './limit-draft.ts';
import { limitTitle, useLimitWords, windowText } from './limit-words.ts';
import {
  LimitCreateDocument,
  LimitDeleteDocument,
  type LimitTermsFragment,
  LimitUpdateDocument,
} from './limits.graphql';
import { NewLimitTerms } from './new-limit-terms.tsx';

type LimitSheetProps = {
  readonly target: LimitTarget;
  /** Limit to edit. `null` to create a limit. */
  readonly limit: LimitTermsFragment | null;
  /** Template that the new limit replaces. */
  readonly replaced?: LimitTermsFragment | null;
  /** Currency of a new limit. */
  readonly currency: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Saves a new or an existing limit. */
function useSave({ target, limit, replaced = null }: LimitSheetProps) {
  const [create, creating] = useAction(LimitCreateDocument);
  const [update, updating] = useAction(LimitUpdateDocument);
  const send = (values: Parameters<typeof createInput>[0]): Promise<unknown> =>
    limit === null
      ? create({ input: createInput(values, target, replaced) })
      : update({ input: updateInput(values, limit) });
  return { send, state: limit === null ? creating : updating };
}

/** Terms of an existing limit that can't be changed. */
function FixedTerms({ limit }: { readonly limit: LimitTermsFragment }) {
  const words = useLimitWords();
  const features = limit.filter.features.join(', ');
  return (
    <Text as="p" color="muted">
      {words.title({ measure: words.measures[limit.measure], window: windowText(words, limit.window) })}
      {features !== '' && ` · ${words.onlyFeatures({ features })}`}
    </Text>
  );
}

/** Sheet that creates, edits, or deletes a limit of a customer or budget, a template, or a limit of the organization or a plan. */
export function LimitSheet(props: LimitSheetProps) {
  const { target, limit, replaced = null, currency, onClose, onDone } = props;
  const form = useId();
  const words = useLimitWords();
  const [isDeleting, setDeleting] = useState(false);
  const { send, state } = useSave(props);
  const known = limit ?? replaced;
  const draft = useDraft(initialValues(known, currency, target), {
    isReady: isComplete,
    needsChange: limit !== null,
    send,
    onDone: () => {
      notify(limit === null ? words.created : words.saved);
      onDone();
    },
  });
  const { values, change, field } = draft;
  const { error, isRunning } = state;
  const isTemplate = target === 'template';
  const title = limit === null ? (isTemplate ? words.newTemplate : words.newLimit) : limitTitle(words, limit);
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={replaced === null ? title : words.replaceTitle({ name: limitTitle(words, replaced) })}
      actions={
        <>
          {limit !== null && (
            <Button kind="quiet" onPress={() => setDeleting(true)}>
              {isTemplate ? words.deleteTemplate : words.deleteLimit}
            </Button>
          )}
          <Grow />
          <Button slot="close">{words.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isPending={isRunning} isDisabled={!draft.isReady}>
            {limit !== null ? words.save : isTemplate ? words.createTemplate : words.createLimit}
          </Button>
        </>
      }
    >
      <Form id={form} draft={draft} errors={error?.details ?? []}>
        <Stack gap={4}>
          {known === null ? (
            <NewLimitTerms target={target} values={values} change={change} />
          ) : (
            <FixedTerms limit={known} />
          )}
          <TextField name="name" label={words.name} isOptional maxLength={80} {...field('name')} />
          {values.isDerived ? (
            <Text as="p" color="muted">
              {words.sharedAmount}
            </Text>
          ) : (
            <LimitAmountField
              key={shownUnit(values)}
              of={{ measure: values.measure, unit: shownUnit(values) }}
              label={words.amount}
              help={values.action === 'block' ? words.amountHelp : words.amountOptional}
              isOptional={values.action === 'notify'}
              least={0}
              value={values.amount}
              onChange={(amount) => change({ amount })}
            />
          )}
          <RadioGroup
            label={words.action}
            look="cards"
            value={values.action}
            onChange={(action) => change({ action: action as LimitValues['action'] })}
            options={actionsOf(target, values).map((value) => ({
              value,
              label: words.actionNames[value],
              help: words.actionHelp[value],
            }))}
          />
          {(limit === null || hasPlainThresholds(limit)) && !values.isDerived && (
            <TextField
              name="thresholds"
              label={words.thresholds}
              help={words.thresholdsHelp}
              isOptional
              error={bpsIn(values.percents) === null ? words.thresholdsWrong : undefined}
              {...field('percents')}
            />
          )}
          {canReportUnusual(target, values) && <AnomalyFields values={values} change={change} />}
          {isComplete(values) && values.amount !== null && (
            <ExceedingPreview
              key={JSON.stringify(values)}
              of={() =>
                limit === null
                  ? { create: createInput(values, target, replaced) }
                  : { update: updateInput(values, limit) }
              }
            />
          )}
          {error?.details.length === 0 && <Rejection error={error} />}
        </Stack>
      </Form>
      {isDeleting && limit !== null && (
        <AskDialog
          document={LimitDeleteDocument}
          input={{ id: limit.id }}
          title={words.deleteTitle({ name: limitTitle(words, limit) })}
          texts={[isTemplate ? words.deleteTemplateText : words.deleteText]}
          confirm={isTemplate ? words.deleteTemplate : words.deleteLimit}
          kind="danger"
          done={words.deleted}
          onDone={onDone}
          onClose={() => setDeleting(false)}
        />
      )}
    </Sheet>
  );
}
