import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { Callout } from '../../../kit/callout.tsx';
import { Card, Row, Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { notify } from '../../../shell/notices.ts';
import { Rejection } from '../../../shell/rejection.tsx';
import { useWords } from '../../../words/words.ts';
import { OrganizationLogoStoreDocument } from '../settings.graphql';

/** Maximum size of the image in bytes. */
const maxBytes = 200 * 1_024;

const types = ['image/png', 'image/jpeg', 'image/webp'];

/** Returns the content of a file in Base64. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Card that uploads or removes the logo. Changes take effect immediately. */
export function LogoCard({ logoUrl }: { readonly logoUrl: string | null }) {
  const { branding: words } = useWords('settings');
  const [problem, setProblem] = useState<string | null>(null);
  const [store, { isRunning, error }] = useAction(OrganizationLogoStoreDocument);
  const send = async (image: string | null) => {
    if ((await store({ input: { image } })) instanceof ApiError) return;
    notify(image === null ? words.logoRemoved : words.logoStored);
  };
  const choose = async (files: FileList | null) => {
    const [file] = files ?? [];
    if (file === undefined) return;
    const issue = types.includes(file.type)
      ? file.size > maxBytes
        ? words.logoTooLarge
        : null
      : words.logoType;
    setProblem(issue);
    if (issue === null) await send(await base64Of(file));
  };
  return (
    <Card title={words.logo}>
      <Stack gap={3}>
        <Text color="muted">{words.logoHelp}</Text>
        <Row gap={2}>
          <FileTrigger acceptedFileTypes={types} onSelect={(files) => void choose(files)}>
            <Button isPending={isRunning}>{logoUrl === null ? words.logoChoose : words.logoReplace}</Button>
          </FileTrigger>
          {logoUrl !== null && (
            <Button kind="quiet" isDisabled={isRunning} onPress={() => void send(null)}>
              {words.logoRemove}
            </Button>
          )}
        </Row>
        {problem !== null && (
          <div role="alert">
            <Callout tone="negative">{problem}</Callout>
          </div>
        )}
        <Rejection error={error} />
      </Stack>
    </Card>
  );
}
