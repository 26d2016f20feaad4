import { useArea, usePage } from '../data/current-page.ts';
import type { Begin } from '../data/initial-data.ts';
import { useMounted } from '../data/use-mounted.ts';
import { Button, ButtonRow } from '../parts/button.tsx';
import { NothingToShow } from '../parts/empty-page.tsx';
import { Field } from '../parts/field.tsx';
import { Alert, Frame, Status } from '../parts/frame.tsx';
import styles from '../parts/section.module.css';
import { type Accept, type AccountLink, type AccountState, useAccount } from './use-account.ts';

type Parts = { readonly link: AccountLink; readonly state: AccountState };

/** Form that signs a user in or creates an account, and then accepts the link. */
function AccountForm({ link, state }: Parts) {
  const { labels } = usePage().words;
  const words = useArea('account');
  const isMounted = useMounted();
  const { isNew, steps } = state;
  const { problems } = steps;
  const submit =
    link.invited === null
      ? isNew
        ? words.createAndClaim
        : words.signInAndClaim
      : isNew
        ? words.createAndJoin
        : words.signInAndJoin;
  return (
    <form
      id="account"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        state.submit();
      }}
    >
      <fieldset id="fields" class={styles.fields} disabled={steps.isBusy}>
        <legend id="account-title" class={styles.legend}>
          {isNew ? words.createAccount : words.signIn}
        </legend>
        <Field
          name="name"
          label={words.name}
          problems={problems}
          isHidden={!isNew}
          autoComplete="name"
          maxLength={200}
          required
        />
        <Field
          name="email"
          label={labels.email}
          problems={problems}
          type="email"
          autoComplete="username"
          maxLength={320}
          required
          {...(link.invited === null ? {} : { defaultValue: link.invited.email, readOnly: true })}
        />
        <Field
          name="password"
          label={isNew ? words.newPassword : words.password}
          problems={problems}
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          maxLength={128}
          required
        />
        <Alert text={steps.alert} />
        <Button type="submit" id="submit" disabled={!isMounted}>
          {submit}
        </Button>
        <Button kind="quiet" id="switch" disabled={!isMounted} onClick={state.switchForm}>
          {isNew ? words.haveAccount : words.isNew}
        </Button>
      </fieldset>
    </form>
  );
}

/** Shows the organization that the link is for, with a button to accept the link as the signed-in user. */
function Confirmation({ link, state, email }: Parts & { readonly email: string }) {
  const words = useArea('account');
  const { steps } = state;
  const invited = link.invited?.email ?? null;
  const isOther = invited !== null && invited.toLowerCase() !== email.toLowerCase();
  return (
    <section id="confirmation" class={styles.section} aria-labelledby="title">
      <p id="signed-in">{isOther ? words.signedInAsOther({ email, invited }) : words.signedIn({ email })}</p>
      <Alert text={steps.alert} />
      <ButtonRow>
        {isOther ? null : (
          <Button id="accept" disabled={steps.isBusy} onClick={state.accept}>
            {invited === null ? words.takeOwnership : words.join}
          </Button>
        )}
        <Button kind="quiet" id="leave" disabled={steps.isBusy} onClick={state.leave}>
          {words.useOther}
        </Button>
      </ButtonRow>
    </section>
  );
}

function OpenAccountPage({ link, accept }: { readonly link: AccountLink; readonly accept: Accept }) {
  const { base } = usePage();
  const words = useArea('account');
  const state = useAccount(link, accept);
  const { ending, signedIn, steps } = state;
  const { invited, organizationName } = link;
  const summary =
    invited === null ? words.claim : words.invited({ role: words.roles[invited.role], email: invited.email });
  return (
    <Frame
      branding={null}
      title={organizationName}
      aside={ending === null ? <p id="summary">{summary}</p> : null}
    >
      <Status text={ending?.text ?? ''} working={steps.working} isDone={ending?.isDone ?? false} />
      {ending?.hasDashboard ? (
        <p>
          <a
            id="dashboard"
            href={`${base}/dashboard${ending.isDone && invited === null ? '/sandbox/welcome' : ''}`}
          >
            {words.dashboard}
          </a>
        </p>
      ) : null}
      {ending !== null ? null : signedIn === null ? (
        <AccountForm link={link} state={state} />
      ) : (
        <Confirmation link={link} state={state} email={signedIn} />
      )}
    </Frame>
  );
}

/** Page for claiming an organization or accepting an invitation to it. */
export function AccountPage({
  begin,
  accept,
}: {
  readonly begin: Begin<AccountLink>;
  readonly accept: Accept;
}) {
  const words = useArea('account');
  return begin.data === null ? (
    <NothingToShow title={words.page} text={begin.isInvalid ? words.invalid : words.unavailable} />
  ) : (
    <OpenAccountPage link={begin.data} accept={accept} />
  );
}
