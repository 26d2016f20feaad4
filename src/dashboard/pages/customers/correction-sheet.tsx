import { useId } from 'react';
import { dateText } from '../../../ui/format/dates.ts';
import { numberText } from '../../../ui/format/numbers.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { RadioGroup } from '../../kit/choice.tsx';
import { Form } from '../../kit/form.tsx';
import { Grow, Stack } from '../../kit/layout.tsx';
import { NumberField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import {
  CustomerEventReplaceDocument,
  CustomerEventVoidDocument,
  type CustomerUsageQuery,
} from './tabs.graphql';

const mostDecimals = 9;

type CorrectionSheetProps = {
  readonly event: CustomerUsageQuery['customer']['usageEvents']['nodes'][number];
  /** Start of the feature's current usage window. `null` if the subscription has no window of the feature. */
  readonly openSince: string | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that voids a usage event or replaces its quantity. Shows the effect on the current usage window, or on the next invoice. */
export function CorrectionSheet({ event, openSince, onClose, onDone }: CorrectionSheetProps) {
  const form = useId();
  const { correction: words } = useCustomerWords();
  const settings = useKit();
  const [voidEvent, voiding] = useAction(CustomerEventVoidDocument);
  const [replaceEvent, replacing] = useAction(CustomerEventReplaceDocument);
  const before = Number(event.quantity ?? event.value);
  const text = (quantity: number) => numberText(quantity, settings.locale, mostDecimals);
  const draft = useDraft(
    { kind: 'void' as 'void' | 'replace', quantity: before, reason: '' },
    {
      isReady: ({ kind, quantity }) =>
        kind === 'void' || (!Number.isNaN(quantity) && quantity > 0 && quantity !== before),
      send: async ({ kind, quantity, reason }): Promise<unknown> => {
        const common = { id: event.id, ...(reason.trim() !== '' && { reason: reason.trim() }) };
        if (kind === 'void') return voidEvent({ input: common });
        const amount = event.quantity === null ? { value: quantity } : { quantity: String(quantity) };
        return replaceEvent({ input: { ...common, ...amount } });
      },
      onDone: () => {
        notify(words.done);
        onDone();
      },
    },
  );
  const { values, change, field } = draft;
  const isVoid = values.kind === 'void';
  const after = isVoid || Number.isNaN(values.quantity) ? 0 : values.quantity;
  const isOpen = openSince !== null && event.windowStart === openSince;
  const { error, isRunning } = isVoid ? voiding : replacing;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.title}
      subtitle={words.of({ feature: event.feature.name, day: dateText(event.ts, settings) })}
      actions={
        <>
          <Grow />
          <Button slot="close">{words.cancel}</Button>
          <Button
            kind={isVoid ? 'danger' : 'primary'}
            type="submit"
            form={form}
            isPending={isRunning}
            isDisabled={!draft.isReady}
          >
            {isVoid ? words.voidVerb : words.replaceVerb}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <Form id={form} draft={draft} errors={error?.details ?? []}>
          <Stack gap={4}>
            <RadioGroup
              label={words.kind}
              value={values.kind}
              onChange={(kind) => change({ kind: kind === 'replace' ? 'replace' : 'void' })}
              options={[
                { value: 'void', label: words.voidLabel, help: words.voidHelp },
                // Tokens of an AI model can't be replaced by a quantity.
                ...(event.model === null
                  ? [{ value: 'replace', label: words.replaceLabel, help: words.replaceHelp }]
                  : []),
              ]}
            />
            {!isVoid && (
              <NumberField
                name="value"
                label={words.quantity}
                minValue={0}
                formatOptions={{ maximumFractionDigits: event.quantity === null ? 0 : mostDecimals }}
                {...field('quantity')}
              />
            )}
            <TextField name="reason" label={words.reason} isOptional maxLength={1_000} {...field('reason')} />
          </Stack>
        </Form>
        <div role="status">
          <Stack gap={2}>
            <Text as="p">{words.change({ before: text(before), after: text(after) })}</Text>
            <Callout tone={isOpen ? 'info' : 'warning'}>
              {isOpen ? words.openWindow : words.endedWindow({ day: dateText(event.windowStart, settings) })}
            </Callout>
          </Stack>
        </div>
        <Rejection error={error} />
      </Stack>
    </Sheet>
  );
}
