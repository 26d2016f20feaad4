import { Callout } from '../../kit/callout.tsx';
import { Code } from '../../kit/code.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { verificationCode } from './verification-code.ts';
import { useWebhookWords } from './webhook-words.ts';

/** Shows a signing secret once, with code that verifies webhooks. */
export function SecretPanel({ secret }: { readonly secret: string }) {
  const words = useWebhookWords();
  return (
    <Stack gap={4}>
      <Callout tone="warning">{words.secretOnce}</Callout>
      <Stack gap={1}>
        <Text weight="medium">{words.secret}</Text>
        <Copy value={secret} />
      </Stack>
      <Heading level={3}>{words.verify}</Heading>
      <Code label={words.verify} samples={verificationCode(secret)} />
    </Stack>
  );
}
