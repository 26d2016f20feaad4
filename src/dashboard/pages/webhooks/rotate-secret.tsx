import { useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Stack } from '../../kit/layout.tsx';
import { NumberField } from '../../kit/number-field.tsx';
import { Text } from '../../kit/text.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { EndpointSecretRotateDocument } from './page.graphql';
import { SecretPanel } from './secret-panel.tsx';
import { useWebhookWords } from './webhook-words.ts';

const usualHours = 24;
const maxHours = 168;

/** Dialog that creates a new signing secret and shows it once. */
export function RotateSecret({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useWebhookWords();
  const [overlapHours, setHours] = useState(usualHours);
  const [secret, setSecret] = useState<string | null>(null);
  const [rotate, { isRunning, error }] = useAction(EndpointSecretRotateDocument);
  async function confirm(): Promise<void> {
    const result = await rotate({ input: { id, overlapHours } });
    if (!(result instanceof ApiError)) setSecret(result.webhookSecretRotate.secretKey);
  }
  if (secret !== null)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={words.secretRotated}
        size="lg"
        actions={
          <Button kind="primary" onPress={onClose}>
            {words.done}
          </Button>
        }
      >
        <SecretPanel secret={secret} />
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.rotateTitle}
      actions={
        <Button kind="primary" isPending={isRunning} onPress={() => void confirm()}>
          {words.rotate}
        </Button>
      }
    >
      <Stack gap={4}>
        <Text as="p">{words.rotateText}</Text>
        <NumberField
          label={words.overlap}
          minValue={0}
          maxValue={maxHours}
          value={overlapHours}
          onChange={setHours}
        />
        <Rejection error={error} />
      </Stack>
    </Dialog>
  );
}
