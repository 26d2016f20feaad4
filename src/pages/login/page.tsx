import { useState } from 'preact/hooks';
import type { ResultOf } from '../../ui/documents.ts';
import { useArea, usePage } from '../data/current-page.ts';
import { typed } from '../data/field-values.ts';
import type { Begin } from '../data/initial-data.ts';
import { NoAnswer, Rejection, run } from '../data/service.ts';
import { useHost } from '../data/use-host.ts';
import { useMounted } from '../data/use-mounted.ts';
import { usePageActions } from '../data/use-page-actions.ts';
import { Button } from '../parts/button.tsx';
import { NothingToShow } from '../parts/empty-page.tsx';
import { Field } from '../parts/field.tsx';
import { Alert, Frame, Status } from '../parts/frame.tsx';
import styles from '../parts/section.module.css';
import { type LoginPageDocument, RequestPortalDocument } from './page.graphql';

export type LoginPageData = ResultOf<typeof LoginPageDocument>;
type Login = NonNullable<LoginPageData['portalLogin']>;

/** The URL is the same for sandbox customers, with `?sandbox` appended. */
const isLive = (): boolean => !new URLSearchParams(location.search).has('sandbox');

function OpenLoginPage({ login }: { readonly login: Login }) {
  const { token: slug, words } = usePage();
  const own = useArea('login');
  const isMounted = useMounted();
  const [isSent, setIsSent] = useState(false);
  const steps = usePageActions(['email'], (error) => {
    if (error instanceof NoAnswer) return own.noAnswer;
    const isKnown = error instanceof Rejection && /^(?:validation_error|rate_limited)$/.test(error.code);
    return isKnown ? null : own.failed;
  });
  useHost(login.branding.embedOrigins, isSent);
  const send = (): void => {
    const email = typed('email');
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) return steps.markAll(['email']);
    void steps.attempt(
      () => run(RequestPortalDocument, { input: { slug, email, livemode: isLive() } }),
      async (answer) => {
        setIsSent(answer !== null);
        return { isOpen: answer === null, focus: 'title' };
      },
    );
  };
  return (
    <Frame branding={login.branding} locales={login.locales} title={own.title}>
      <Status text={isSent ? own.sent : ''} working={steps.working} isDone={isSent} />
      {isSent ? (
        <Button kind="quiet" id="again" onClick={() => setIsSent(false)}>
          {own.again}
        </Button>
      ) : (
        <form
          id="login"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <fieldset id="fields" class={styles.fields} disabled={steps.isBusy}>
            <p id="text">{own.text}</p>
            <Field
              name="email"
              label={words.labels.email}
              problems={steps.problems}
              type="email"
              autoComplete="email"
              maxLength={320}
              required
            />
            <Alert text={steps.alert} />
            <Button type="submit" id="send" disabled={!isMounted}>
              {own.send}
            </Button>
          </fieldset>
        </form>
      )}
    </Frame>
  );
}

/** Page where a customer requests a portal link, at `/portal/<organization slug>`. */
export function LoginPage({ begin }: { readonly begin: Begin<LoginPageData> }) {
  const own = useArea('login');
  const login = begin.data?.portalLogin ?? null;
  return login === null ? (
    <NothingToShow title={own.page} text={begin.data === null ? own.unavailable : own.unknown} />
  ) : (
    <OpenLoginPage login={login} />
  );
}
