import { useEffect, useState } from 'react';
import { Callout } from '../../kit/callout.tsx';
import { Code } from '../../kit/code.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { type Message, signatureBy, signedText } from './signature.ts';
import { useWebhookWords } from './webhook-words.ts';

/** Explains how to verify the signature of a webhook, using the webhook's values, and checks the signature with the secret. */
export function Verify({ message }: { readonly message: Message }) {
  const words = useWebhookWords();
  const steps = [words.verifyOne, words.verifyTwo, words.verifyThree, words.verifyFour];
  return (
    <Stack gap={4}>
      <Stack as="ol" gap={2}>
        {steps.map((step) => (
          <Text key={step} as="li">
            {step}
          </Text>
        ))}
      </Stack>
      <Code label={words.signed} code={signedText(message)} />
      <Check message={message} />
    </Stack>
  );
}

function Check({ message }: { readonly message: Message }) {
  const words = useWebhookWords();
  const [secret, setSecret] = useState('');
  const [isMatch, setMatch] = useState<boolean | null>(null);
  const { signature } = message;
  const text = signedText(message);
  useEffect(() => {
    let isCurrent = true;
    const show = (found: boolean | null) => isCurrent && setMatch(found);
    if (secret.trim() === '') show(null);
    else
      void signatureBy(secret.trim(), text).then(
        (made) => show(made !== null && signature.split(' ').includes(`v1,${made}`)),
        () => show(false),
      );
    return () => {
      isCurrent = false;
    };
  }, [secret, text, signature]);
  return (
    <Stack gap={2}>
      <TextField
        label={words.trySecret}
        help={words.trySecretHelp}
        value={secret}
        onChange={setSecret}
        autoComplete="off"
        code
      />
      {isMatch !== null && (
        <Callout tone={isMatch ? 'positive' : 'negative'}>{isMatch ? words.matches : words.differs}</Callout>
      )}
    </Stack>
  );
}
