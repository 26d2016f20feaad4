import { passkeySupport, provePasskey } from '../../data/passkeys.ts';
import { Button } from '../../kit/button.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Problem } from './problem.tsx';
import { useAccountTask } from './use-account-task.ts';

type PasskeyButtonProps = { readonly label: string; readonly onDone: () => void };

/**
 * Button that signs in or confirms the user's identity with a passkey. Not shown if the browser doesn't support
 * passkeys on this page.
 */
export function PasskeyButton({ label, onDone }: PasskeyButtonProps) {
  const { run, isRunning, problem } = useAccountTask();
  if (passkeySupport() !== 'ready') return null;
  const use = async () => {
    if (await run(provePasskey)) onDone();
  };
  return (
    <Stack gap={2}>
      <Button wide isPending={isRunning} onPress={() => void use()}>
        {label}
      </Button>
      <Problem text={problem} />
    </Stack>
  );
}
