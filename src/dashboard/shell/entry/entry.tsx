import { type ReactNode, useEffect, useState } from 'react';
import { isProofNeeded } from '../../data/identity-confirmation.ts';
import { isSignedIn, isSignInNeeded } from '../../data/session.ts';
import { useStore } from '../../data/store.ts';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { PageFailed } from '../page-failed.tsx';
import { EntryPage } from './entry-page.tsx';
import { linkOf } from './links.ts';
import { Organizations } from './organizations.tsx';

const SignIn = lazyPart(() => import('./sign-in.tsx').then((module) => module.default));
const SignInAgain = lazyPart(() => import('./sign-in-again.tsx').then((module) => module.default));
const ProveAgain = lazyPart(() => import('./confirm-identity.tsx').then((module) => module.default));
const ResetPassword = lazyPart(() => import('./reset-password.tsx').then((module) => module.default));
const VerifyEmail = lazyPart(() => import('./verify-email.tsx').then((module) => module.default));

type State = 'unknown' | 'nobody' | 'somebody' | 'failed';

/**
 * Shows the sign-in page to users without a session, and the organization choice to members of several organizations.
 * Renders its children for signed-in members.
 */
export function Entry({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<State>('unknown');
  const isNeeded = useStore(isSignInNeeded);
  const isProving = useStore(isProofNeeded);
  useEffect(() => {
    isSignedIn().then(
      (found) => setState(found ? 'somebody' : 'nobody'),
      () => setState('failed'),
    );
  }, []);
  const link = linkOf(location.pathname);
  if (link?.kind === 'reset-password') return <ResetPassword token={link.token} />;
  if (state === 'unknown') return null;
  if (state === 'failed')
    return (
      <EntryPage>
        <PageFailed />
      </EntryPage>
    );
  if (state === 'nobody') return <SignIn onDone={() => setState('somebody')} />;
  if (link !== null)
    return (
      <>
        <VerifyEmail token={link.token} />
        {isProving && <ProveAgain />}
      </>
    );
  return (
    <>
      <Organizations>{children}</Organizations>
      {isNeeded && <SignInAgain />}
      {isProving && <ProveAgain />}
    </>
  );
}
