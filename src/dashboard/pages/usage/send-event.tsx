import { countText } from '../../../ui/format/numbers.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { NumberField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { TrackUsageDocument, type UsageFeaturesQuery } from './page.graphql';

type Feature = UsageFeaturesQuery['features']['nodes'][number];
type SendProps = { readonly features: readonly Feature[]; readonly onClose: () => void };

/** Form that sends a usage event in the same way as the merchant's app. Sandbox only. */
export function SendEvent({ features, onClose }: SendProps) {
  const { locale } = useKit();
  const words = useWords('usage');
  const counted = features.filter(({ type }) => type === 'usage');
  const [track, { isRunning, error }] = useAction(TrackUsageDocument);
  const draft = useDraft(
    { customerId: '', code: counted[0]?.code ?? null, value: 1 },
    {
      isReady: ({ customerId, code, value }) => customerId.trim() !== '' && code !== null && value > 0,
      send: ({ customerId, code, value }) =>
        track({ input: { customerId: customerId.trim(), featureCode: code ?? '', value } }),
      onDone: () => {
        notify(words.sent);
        onClose();
      },
    },
  );
  const { customerId, code, value } = draft.values;
  const feature = counted.find((one) => one.code === code);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.sendTitle}
      actions={
        <Button
          kind="primary"
          type="submit"
          form="send-event"
          isDisabled={!draft.isReady}
          isPending={isRunning}
        >
          {feature === undefined
            ? words.sendPlain
            : words.sendAction({ value: countText(value, locale), feature: feature.name })}
        </Button>
      }
    >
      <Form id="send-event" draft={draft} errors={error?.details ?? []}>
        <Stack>
          <Text as="p">{words.sendText}</Text>
          <TextField
            name="customerId"
            label={words.customerId}
            value={customerId}
            onChange={(id) => draft.change({ customerId: id })}
            autoFocus
          />
          <Select
            label={words.feature}
            value={code}
            onChange={(chosen) => draft.change({ code: chosen })}
            options={counted.map((one) => ({ value: one.code, label: one.name }))}
          />
          <NumberField
            name="value"
            label={words.value}
            value={value}
            onChange={(typed) => draft.change({ value: typed })}
            minValue={1}
          />
          <Rejection error={error} />
        </Stack>
      </Form>
    </Dialog>
  );
}
