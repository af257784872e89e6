/**
 * The pages of the development issuer: one layout and one style, without external resources. Their
 * policy allows that style by its hash, and none of our scripts.
 */
import { createHash } from 'node:crypto';
import { escapedHtml as escaped } from '../../domain/escaped-html.ts';

const STYLE = `
:root { color-scheme: light dark; --page: #eef1f4; --card: #fff; --ink: #17212b; --soft: #5b6875;
  --line: #cbd3db; --deed: #0b63ce; --deed-ink: #fff; --bad: #b3261e; --note: #fff6dc; }
@media (prefers-color-scheme: dark) { :root { --page: #11171d; --card: #1a222b; --ink: #e8edf2;
  --soft: #9aa7b4; --line: #384552; --deed: #6aa9ff; --deed-ink: #0b1624; --bad: #ff8a80;
  --note: #322b16; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px;
  background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 420px; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; padding: 32px; }
.brand { margin: 0 0 20px; font-weight: 600; letter-spacing: .04em; color: var(--soft); }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; }
p { margin: 0 0 16px; }
.soft { color: var(--soft); font-size: 14px; }
.bad { color: var(--bad); font-weight: 600; }
.note { background: var(--note); border-radius: 8px; padding: 8px 12px; font-size: 14px; }
label { display: block; font-weight: 600; margin-bottom: 6px; }
input { width: 100%; font: inherit; color: inherit; background: transparent; padding: 10px 12px;
  border: 1px solid var(--soft); border-radius: 8px; margin-bottom: 16px; }
.code { font: 600 28px/1.2 ui-monospace, monospace; letter-spacing: .08em; text-align: center;
  border: 1px dashed var(--line); border-radius: 8px; padding: 14px; }
input.code-input { font: 600 22px/1.2 ui-monospace, monospace; letter-spacing: .08em;
  text-align: center; text-transform: uppercase; }
button { width: 100%; font: inherit; font-weight: 600; padding: 11px; border-radius: 8px;
  border: 1px solid var(--deed); background: var(--deed); color: var(--deed-ink);
  cursor: pointer; }
button.quiet { margin-top: 10px; background: transparent; color: var(--ink);
  border-color: var(--line); }
:focus-visible { outline: 3px solid var(--deed); outline-offset: 2px; }
details { margin-top: 20px; font-size: 14px; color: var(--soft); }
summary { cursor: pointer; }
ul { margin: 8px 0 0; padding: 0; columns: 2; list-style: none; font-size: 13px; }
li { overflow-wrap: anywhere; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** `formTargets`: further origins to which a form's answer may redirect. */
export const pagePolicy = (formTargets: readonly string[] = []): string =>
  [
    `default-src 'none'`,
    `style-src 'sha256-${styleHash}'`,
    // The library adds the hash of its script that submits a code in the address.
    `script-src 'none'`,
    `form-action ${[`'self'`, ...formTargets].join(' ')}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

/** For every answer of the issuer. With `no-referrer`, forms would be sent without an origin. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': pagePolicy(),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** `content` is HTML, in which external text must be escaped. */
const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Atrium</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="brand">ATRIUM</p>
${content}
</main>
</body>
</html>
`;

const problem = (message: string | undefined): string =>
  message === undefined ? '' : `<p class="bad" role="alert">${escaped(message)}</p>`;

export const signInPage = (form: {
  readonly client: string;
  readonly emails: readonly string[];
  readonly email?: string;
  readonly wrong?: string;
}): string =>
  page(
    'Sign in',
    `<h1>Sign in</h1>
<p class="soft">to continue to ${escaped(form.client)}</p>
<p class="note">Development sign-in: an e-mail address is enough, there is no password.</p>
${problem(form.wrong)}
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" required autofocus autocomplete="username"
 list="known" placeholder="agent@acme.test" value="${escaped(form.email ?? '')}">
<datalist id="known">${form.emails.map((e) => `<option value="${escaped(e)}">`).join('')}</datalist>
<button type="submit">Sign in</button>
</form>
<details><summary>Who can sign in?</summary>
<ul>${form.emails.map((email) => `<li>${escaped(email)}</li>`).join('')}</ul></details>`,
  );

export const deviceCodePage = (form: string, wrong: string | undefined): string =>
  page(
    'Connect a device',
    `<h1>Connect a device</h1>
<p class="soft">Enter the code that the command line shows.</p>
${problem(wrong)}
${labelled(form)}
<button type="submit" form="op.deviceInputForm">Continue</button>`,
  );

/** The library's form, without its inline script, which the policy would refuse. */
const labelled = (form: string): string =>
  form.replace(
    /type="text" name="user_code"[^>]*>(<\/input>)?/,
    'type="text" id="user_code" name="user_code" class="code-input" aria-label="Code"' +
      ' placeholder="XXXX-XXXX" autofocus required autocomplete="off">',
  );

export const deviceConfirmPage = (form: string, client: string, userCode: string): string =>
  page(
    'Confirm the device',
    `<h1>Is this your code?</h1>
<p class="soft">${escaped(client)} asks to sign in. Go on only if it shows this code:</p>
<p class="code">${escaped(userCode)}</p>
${form}
<button type="submit" form="op.deviceConfirmForm" autofocus>Yes, go on</button>
<button type="submit" form="op.deviceConfirmForm" name="abort" value="yes" class="quiet">
No, cancel</button>`,
  );

export const donePage = (client: string): string =>
  page(
    'Signed in',
    `<h1>You are signed in</h1>
<p>${escaped(client)} has what it needs. You can close this window.</p>`,
  );

export const signOutPage = (form: string): string =>
  page(
    'Sign out',
    `<h1>Sign out?</h1>
${form}
<button type="submit" form="op.logoutForm" value="yes" name="logout" autofocus>Sign out</button>`,
  );

export const signedOutPage = (): string => page('Signed out', '<h1>You are signed out</h1>');

export const errorPage = (error: string, description: string): string =>
  page(
    'That did not work',
    `<h1>That did not work</h1>
<p>${escaped(description)}</p>
<p class="soft">${escaped(error)}</p>`,
  );
