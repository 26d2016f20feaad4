// The page of a claim or an invitation: reads the claim or invitation of its address, asks for an account, accepts. It stores nothing.

import {
  acceptMutation,
  claimMutation,
  claimQuery,
  invitationQuery,
  viewerQuery,
} from './claim-documents.js';
import { element, input, markField, Refusal, run, say, token, typed, warn } from './page.js';

const base = (document.body.dataset.api ?? '/graphql').replace(/\/graphql$/, '');
const accounts = `${base}/auth`;
const isInvitation = location.pathname.replace(/\/+$/, '').split('/').at(-2) === 'invitation';

/** Tells that this page asks: no other site can make a browser send it. */
const csrf = { 'X-Quittance-Csrf': '1' };

const fieldNames = ['name', 'email', 'password'];

/** Calls the account service. Throws a Refusal for what it rejects. @param {string} path @param {Record<string, unknown>} body */
async function account(path, body) {
  const response = await fetch(`${accounts}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...csrf },
    body: JSON.stringify(body),
  });
  if (response.ok) return;
  const { error } = await response.json().catch(() => ({}));
  const { code, param, details, message = 'That did not work.' } = error ?? {};
  throw new Refusal({ message, extensions: { code, param, details } });
}

let organizationName = '';

/** The address an invitation is for; empty for a claim, which anybody may make. */
let invited = '';
let isNew = true;

/** Shows one part of the page and hides the other. @param {'account' | 'confirmation' | null} part */
function show(part) {
  element('account').hidden = part !== 'account';
  element('confirmation').hidden = part !== 'confirmation';
}

/** @param {boolean} isBusy */
function setBusy(isBusy) {
  /** @type {HTMLFieldSetElement} */ (document.getElementById('fields')).disabled = isBusy;
  for (const id of ['accept', 'leave']) {
    const button = /** @type {HTMLButtonElement} */ (document.getElementById(id));
    button.disabled = isBusy;
  }
  document.body.setAttribute('aria-busy', String(isBusy));
}

/** Ends the page with one sentence, and a link to the dashboard where the person belongs now. @param {string} text @param {boolean} isDone */
function finish(text, isDone = false) {
  show(null);
  warn(null);
  element('summary').hidden = true;
  say(text, isDone ? 'done' : '');
  element('onward').hidden = !isDone;
  element(isDone ? 'dashboard' : 'title').focus();
}

/** Chooses between a new account and signing in. @param {boolean} wantsNew */
function chooseForm(wantsNew) {
  isNew = wantsNew;
  element('account-title').textContent = wantsNew ? 'Create an account' : 'Sign in';
  const next = isInvitation ? 'join' : 'take over';
  element('submit').textContent = `${wantsNew ? 'Create account' : 'Sign in'} and ${next}`;
  element('switch').textContent = wantsNew ? 'I have an account' : 'I am new here';
  const name = /** @type {HTMLElement} */ (input('name').parentElement);
  name.hidden = !wantsNew;
  input('password').autocomplete = wantsNew ? 'new-password' : 'current-password';
  warn(null);
  for (const field of fieldNames) markField(field, '');
}

/** What the link leads to, in one shape for both kinds. */
async function readLink() {
  if (!isInvitation) return (await run(claimQuery, { token }, csrf)).claimLink;
  const { memberInvitation } = await run(invitationQuery, { token }, csrf);
  return { ...memberInvitation, status: 'open' };
}

/** The email of the person who is signed in, or null. */
async function readViewer() {
  try {
    return (await run(viewerQuery, {}, csrf)).viewer.email;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthorized') return null;
    throw error;
  }
}

/** Asks for an account, or whether the one signed in is the right one. */
async function offerNext() {
  const email = await readViewer();
  say('');
  show(email === null ? 'account' : 'confirmation');
  if (email !== null) {
    const isOther = invited !== '' && invited !== email.toLowerCase();
    element('signed-in').textContent = isOther
      ? `You are signed in as ${email}. This invitation is for ${invited}: use an account of that address.`
      : `You are signed in as ${email}.`;
    element('accept').hidden = isOther;
    element(isOther ? 'leave' : 'accept').focus();
  }
}

async function load() {
  try {
    const link = await readLink();
    organizationName = link.organizationName;
    document.title = isInvitation ? `Join ${organizationName}` : `Claim ${organizationName}`;
    element('title').textContent = organizationName;
    if (link.status === 'claimed')
      return finish('This organization has an owner already. Nothing is left to claim here.');
    if (link.status === 'expired') return finish('This link has expired. Ask for a fresh one.');
    element('summary').textContent = isInvitation
      ? `You are invited to join as ${link.role}, with an account of the address ${link.email}.`
      : 'Take ownership of this organization. Its API keys keep working.';
    element('accept').textContent = isInvitation ? 'Join' : 'Take ownership';
    if (isInvitation) {
      invited = link.email;
      input('email').value = invited;
      input('email').readOnly = true;
    }
    await offerNext();
  } catch (error) {
    const isInvalid = error instanceof Refusal && ['claim_not_pending', 'not_found'].includes(error.code);
    finish(
      isInvalid
        ? 'This link is not valid. A newer one may have replaced it.'
        : 'The page cannot be shown right now. Reload it to try again.',
    );
  }
  return undefined;
}

/** What the form lacks, by field. */
function problemsOf() {
  const problems = [];
  if (isNew && typed('name') === '') problems.push(['name', 'Your name is needed.']);
  if (!/^[^@\s]+@[^@\s]+$/.test(typed('email'))) problems.push(['email', 'This is no e-mail address.']);
  if (input('password').value.length < (isNew ? 10 : 1))
    problems.push(['password', isNew ? 'At least 10 characters are needed.' : 'The password is needed.']);
  return problems;
}

async function accept() {
  try {
    if (isInvitation) await run(acceptMutation, { input: { token } }, csrf);
    else await run(claimMutation, { input: { token } }, csrf);
    finish(
      isInvitation
        ? `Welcome. You are a member of ${organizationName} now.`
        : `Done. You own ${organizationName} now.`,
      true,
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'organization_already_claimed')
      finish('Somebody else took ownership in the meantime.');
    else if (['claim_not_pending', 'not_found'].includes(error.code))
      finish('This link is not valid any more. Ask for a fresh one.');
    else if (error.code === 'duplicate') finish(`You belong to ${organizationName} already.`, true);
    else throw error;
  }
}

/** Runs a step with the page locked, and shows what went wrong. @param {() => Promise<void>} step */
async function attempt(step) {
  warn(null);
  setBusy(true);
  say('Working …');
  try {
    await step();
  } catch (error) {
    say('');
    warn(error instanceof Refusal ? error.message : 'The service cannot be reached. Try again.');
  } finally {
    setBusy(false);
  }
}

async function signInAndAccept() {
  const [name, email, password] = fieldNames.map((field) => input(field).value);
  const proof = { email: email?.trim(), password };
  if (isNew) await account('/sign-up/email', { name: name?.trim(), ...proof });
  try {
    await account('/sign-in/email', proof);
  } catch (error) {
    // A sign-up does not tell whether the address has an account.
    if (!isNew || !(error instanceof Refusal) || error.code !== 'unauthorized') throw error;
    chooseForm(false);
    throw new Refusal({ message: 'This address has an account already. Sign in with its password.' });
  }
  input('password').value = '';
  await accept();
}

element('account').addEventListener('submit', (event) => {
  event.preventDefault();
  const problems = problemsOf();
  for (const field of fieldNames) markField(field, '');
  for (const [field = '', message = ''] of problems) markField(field, message);
  const [first] = problems;
  if (first !== undefined) input(first[0] ?? '').focus();
  else attempt(signInAndAccept);
});
element('switch').addEventListener('click', () => chooseForm(!isNew));
element('accept').addEventListener('click', () => attempt(accept));
element('leave').addEventListener('click', () =>
  attempt(async () => {
    await account('/sign-out', {});
    await offerNext();
  }),
);

/** @type {HTMLAnchorElement} */ (document.getElementById('dashboard')).href = `${base}/dashboard`;
chooseForm(true);
load();
