import { useState } from 'react';
import { countText } from '../../../ui/format/numbers.ts';
import { ApiError } from '../../data/api-error.ts';
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
  const [customerId, setCustomerId] = useState('');
  const [code, setCode] = useState<string | null>(counted[0]?.code ?? null);
  const [value, setValue] = useState(1);
  const [track, { isRunning, error }] = useAction(TrackUsageDocument);
  const feature = counted.find((one) => one.code === code);
  const isReady = customerId.trim() !== '' && feature !== undefined && value > 0;
  const send = async () => {
    if (!isReady || isRunning) return;
    const result = await track({
      input: { customerId: customerId.trim(), featureCode: feature.code, value },
    });
    if (result instanceof ApiError) return;
    notify(words.sent);
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.sendTitle}
      actions={
        <Button kind="primary" type="submit" form="send-event" isDisabled={!isReady} isPending={isRunning}>
          {feature === undefined
            ? words.sendPlain
            : words.sendAction({ value: countText(value, locale), feature: feature.name })}
        </Button>
      }
    >
      <Form id="send-event" onSubmit={() => void send()} errors={error?.details ?? []}>
        <Stack>
          <Text as="p">{words.sendText}</Text>
          <TextField
            name="customerId"
            label={words.customerId}
            value={customerId}
            onChange={setCustomerId}
            autoFocus
          />
          <Select
            label={words.feature}
            value={code}
            onChange={setCode}
            options={counted.map((one) => ({ value: one.code, label: one.name }))}
          />
          <NumberField name="value" label={words.value} value={value} onChange={setValue} minValue={1} />
          <Rejection error={error} />
        </Stack>
      </Form>
    </Dialog>
  );
}
