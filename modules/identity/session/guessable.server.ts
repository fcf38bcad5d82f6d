/**
 * Whether a password is easy to guess: made of the words that head every list of stolen passwords, of runs on the
 * keyboard, of digits and dates, or of what is known about the person. The rules cover far more than a list of
 * thousands, since digits, signs and letters written as digits ("p4ssw0rd") are seen through (ASVS 6.2.4, 6.2.11).
 */
// cspell:disable
const COMMON = `password passwort motdepasse contrasena senha pass passphrase passcode secret secure security login
  signin logon access admin administrator root user guest test tester testing demo default changeme change temp
  temporary welcome letmein enter open hello hallo hola bonjour iloveyou love loveyou lovely forever always angel
  princess prince queen king sunshine rainbow flower butterfly summer winter spring autumn monday friday sunday
  january february march april june july august september october november december dragon monkey tiger lion eagle
  shadow phoenix falcon wolf bear panther buster charlie maggie ginger pepper cookie chocolate banana orange cheese
  coffee football baseball basketball hockey soccer tennis golf liverpool chelsea arsenal manchester united barcelona
  madrid yankees lakers cowboys steelers packers superman batman spiderman starwars pokemon naruto minecraft matrix
  master killer hunter ranger soldier warrior thunder ninja pirate mustang ferrari porsche harley yamaha mercedes
  corvette jordan michael jennifer jessica michelle ashley nicole daniel matthew andrew joshua robert thomas william
  anthony jesus christ jesuschrist blessed heaven freedom america london paris berlin canada internet computer
  samsung google facebook apple iphone microsoft windows whatever nothing something trustno trust money dollar
  million lucky happy friend friends family mother father baby babygirl sexy unbelievable grandrights grand
  rights theatre theater stage curtain ghost light broadway musical actor playhouse company house office royalty
  license licence abc asdf qwerty qwertz azerty the and for you your this that not one two three me my is it in on
  fc`.split(/\s+/).filter((word) => word !== '');

const RUNS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl',
  'zxcvbnm', 'yxcvbnm', '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p', 'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p', 'q1w2e3r4t5y6u7i8o9p0', 'zaq12wsxcde34rfvbgt56yhn', '147258369', '159753', '741852963'];
// cspell:enable
const BACKWARDS = RUNS.map((run) => Array.from(run).reverse().join(''));
/** A run of the keyboard this long counts as one guess. */
const RUN_MIN = 4;
const LOOKS_LIKE: Record<string, string> = {
  0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', '@': 'a', $: 's', '!': 'i', '+': 't',
};

/** Letters a run, a word or a digit do not explain: fewer than this and nothing is left to guess. */
const UNEXPLAINED_MIN = 4;

const plain = (text: string): string => Array.from(text).map((sign) => LOOKS_LIKE[sign] ?? sign).join('');

/** Counts the letters left after removing every known word, run and digit in the best possible way. */
function unexplained(text: string, words: ReadonlySet<string>): number {
  const best = [0];
  for (let end = 1; end <= text.length; end += 1) {
    const alone = /\p{L}/u.test(text[end - 1]!) ? 1 : 0;
    best[end] = best[end - 1]! + alone;
    for (let start = Math.max(0, end - 30); start < end - 1; start += 1) {
      const piece = text.slice(start, end);
      if (words.has(piece) || words.has(plain(piece)) || isRun(piece)) best[end] = Math.min(best[end]!, best[start]!);
    }
  }
  return best[text.length]!;
}

function isRun(piece: string): boolean {
  if (piece.length < RUN_MIN) return false;
  if (new Set(piece).size === 1) return true;
  return RUNS.some((run) => run.includes(piece)) || BACKWARDS.some((run) => run.includes(piece));
}

/** `context`: what is known of the person, each word of it counts as a known word. */
export function isGuessable(password: string, context: readonly string[]): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const own = context.flatMap((one) => one.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length >= 3);
  const words = new Set([...COMMON, ...own]);
  if (/^[^\p{L}]*$/u.test(text)) return /^[\d\s./-]*$/.test(text);
  return unexplained(text, words) < UNEXPLAINED_MIN || repeats(text);
}

/** One piece, again and again. */
function repeats(text: string): boolean {
  for (let size = 1; size <= text.length / 3; size += 1) {
    if (text.length % size === 0 && text === text.slice(0, size).repeat(text.length / size)) return true;
  }
  return false;
}
