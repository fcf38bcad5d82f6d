/** Public pages of the demo season's titles: facts that visitors read before they have an account. */

export interface PublicFacts {
  minutes: number;
  /** Roles for women, for men, for performers of any gender. */
  roles: [women: number, men: number, any: number];
  age: string;
  notes: string[];
  /** None for a play. */
  songs: string[];
  versions: string[];
  territory?: string;
  excerpt: string;
}

const WORLD = 'Worldwide';
const TWO_VERSIONS = ['Full version', 'School version, 75 minutes, without strong language'];
const OPERETTA = ['Full version with orchestra', 'Reduced version with piano', 'School version, 60 minutes'];
const EDITION = ['Acting edition'];
const page = (...lines: string[]): string => lines.join('\n');

/** By the code of the show. */
export const PUBLIC_FACTS: Readonly<Record<string, PublicFacts>> = {
  PIRATES: { minutes: 125, roles: [5, 5, 4], age: 'All ages', notes: ['Cartoon swordplay.'], versions: OPERETTA,
    songs: ['Pour, oh pour the pirate sherry', 'When Frederic was a little lad', 'Climbing over rocky mountain',
      'Poor wandering one', 'I am the very model of a modern major-general', 'A rollicking band of pirates we',
      'With cat-like tread'],
    excerpt: page('ACT ONE. A rocky shore. Pirates, a picnic, a calendar.', '', 'KING. You are one and twenty today.',
      'FREDERIC. I was one and twenty at breakfast, sir, and have felt it ever since.',
      'KING. Then you are a full-blown member of our band.', 'FREDERIC. That is what I came to speak about.') },
  MIKADO: { minutes: 120, roles: [5, 4, 3], age: 'All ages', versions: OPERETTA,
    notes: ['A comic execution is announced and does not take place.'],
    songs: ['If you want to know who we are', 'A wandering minstrel I', 'Behold the Lord High Warden',
      'Three little maids from school', 'The sun, whose rays', 'Here’s a how-de-do', 'Tit-willow'],
    excerpt: page('ACT ONE. The regatta lawn at Marlow.', '', 'WARDEN. Flirting on the towpath: a shilling.',
      'NANKI. And off the towpath?', 'WARDEN. Off the towpath you are in the river, and the river is the county’s.') },
  PINAFORE: { minutes: 105, roles: [4, 5, 1], age: 'All ages', notes: ['Mild naval language.'], versions: OPERETTA,
    songs: ['We sail the ocean blue', 'I’m called little Buttercup', 'I am the captain of the Pinafore',
      'Sorry her lot', 'When I was a lad', 'A British tar', 'Never mind the why and wherefore'],
    excerpt: page('ACT ONE. The quarterdeck, being polished.', '', 'CAPTAIN. Is the crew content?',
      'BOATSWAIN. They are singing, sir.', 'CAPTAIN. That was not the question.',
      'BOATSWAIN. It was the answer, sir.') },
  IOLANTHE: { minutes: 130, roles: [7, 5, 0], age: 'All ages', notes: [], versions: OPERETTA,
    songs: ['Tripping hither, tripping thither', 'Good morrow, good lover', 'Loudly let the trumpet bray',
      'The law is the true embodiment', 'When all night long', 'Oh, foolish fay', 'The nightmare song'],
    excerpt: page('ACT ONE. A stream by moonlight; a division bell.', '', 'QUEEN. Peers must pass an examination.',
      'CELIA. In what?', 'QUEEN. In anything. It will be the novelty that tells.') },
  LAMPLIGHT: { minutes: 135, roles: [4, 3, 2], age: '8 and over', versions: TWO_VERSIONS,
    notes: ['A parent has died before the story begins.', 'Stage fog and an open flame, which may be electric.'],
    songs: ['Dark by Degrees', 'One Lamp', 'The Ladder Song', 'Coal and Copper', 'What the Windows Know',
      'Street by Street', 'Keep It Burning'],
    territory: 'Worldwide; amateurs in Ireland from 2028',
    excerpt: page('ACT ONE. A street. One lamp of nine is lit.', '', 'NELL. Father did all nine by six.',
      'INSPECTOR. Your father had a ladder.', 'NELL. I have the ladder. It is the nine I am short of.',
      'INSPECTOR. The council lights four.', 'NELL. Then the council may walk home by four.') },
  SALTROAD: { minutes: 140, roles: [4, 4, 3], age: '10 and over', versions: TWO_VERSIONS,
    notes: ['A knife is drawn.', 'Thirst, and the death of an animal, are told and not shown.'],
    songs: ['Two Days to Water', 'The Same Song', 'Whose Well', 'Bargain', 'Salt on the Tongue', 'Night Without Fires',
      'Both Sides of the Rope'],
    excerpt: page('ACT ONE. A well. Two ropes.', '', 'IMRE. Your bucket is in my water.',
      'SANA. My bucket was in it before it was your water.', 'IMRE. And when was that?',
      'SANA. Listen to the song. I come in at the second verse.') },
  CLOCKWORK: { minutes: 70, roles: [0, 0, 12], age: 'All ages', notes: [],
    versions: ['Full version with band', 'Version with performance tracks', 'Assembly version, 25 minutes'],
    songs: ['No Room at the Gym', 'Third Sheep from the Left', 'I Had a Line', 'Star on a String', 'Myrrh (What Is It)',
      'Everything Went Right'],
    excerpt: page('A school hall. A star hangs from a string, for now.', '', 'TEACHER. And who are you?',
      'CHILD. Third sheep.', 'TEACHER. We have two.', 'CHILD. I know. I am the surprise.') },
  BLUEHOUR: { minutes: 95, roles: [3, 2, 1], age: '14 and over', versions: ['Full version', 'Concert version'],
    notes: ['Strong language.', 'A conversation about suicide.', 'Strobe light for four seconds.'],
    songs: ['Foot Passengers', 'Signal', 'Duty Free', 'What I Would Carry', 'The Hour Before', 'Harbor'],
    excerpt: page('A deck. Engines. No shore yet.', '', 'ELIN. How long until it is light?',
      'BOSUN. Depends what you need to see.', 'ELIN. My car.', 'BOSUN. Then you have time.') },
  EARNEST: { minutes: 130, roles: [4, 5, 0], age: 'All ages', notes: [], songs: [], versions: EDITION,
    excerpt: page('ACT ONE. Morning-room in Algernon’s flat in Half-Moon Street.', '',
      'ALGERNON. Did you hear what I was playing, Lane?', 'LANE. I didn’t think it polite to listen, sir.',
      'ALGERNON. I’m sorry for that, for your sake. I don’t play accurately—any one can play accurately—but I play '
      + 'with wonderful expression.') },
  RIVALS: { minutes: 140, roles: [4, 6, 0], age: 'All ages', notes: ['A duel is prepared and prevented.'], songs: [],
    versions: ['Full text', 'Shortened text, 100 minutes'],
    excerpt: page(
      'MRS MALAPROP. You will promise to forget this fellow—to illiterate him, I say, quite from your memory.',
      'LYDIA. Ah, madam! our memories are independent of our wills.') },
  DOLLS: { minutes: 135, roles: [4, 3, 0], age: '12 and over', songs: [], versions: EDITION,
    notes: ['Coercion in a marriage.', 'Illness and death are spoken of.'],
    excerpt: page('ACT ONE. A warm room. Winter outside.', '',
      'NORA. Hide the tree well. Nobody may see it until tonight.',
      'PORTER. Fifty øre.', 'NORA. There is a crown. No, keep it.') },
  GULL: { minutes: 145, roles: [6, 7, 0], age: '12 and over', songs: [], versions: EDITION,
    notes: ['Suicide, offstage.', 'A dead bird, made of cloth.'],
    excerpt: page('ACT ONE. A park. A stage put up in haste.', '', 'MEDVEDENKO. Why do you always wear black?',
      'MASHA. I am in mourning for my life.') },
  TWELFTH: { minutes: 120, roles: [3, 7, 4], age: 'All ages', notes: ['A character is locked up as a joke.'],
    songs: ['O mistress mine', 'Come away, death', 'The rain it raineth every day'],
    versions: ['Full edition with songs', 'School edition, 70 minutes'],
    excerpt: page('A shore after a storm.', '', 'VIOLA. What country, friends, is this?',
      'CAPTAIN. This is Illyria, lady.', 'VIOLA. And what should I do in Illyria?') },
  DREAM: { minutes: 85, roles: [4, 6, 10], age: 'All ages', notes: [], songs: [],
    versions: ['Youth edition', 'Primary edition, 45 minutes'],
    excerpt: page('A wood. Workmen with a script.', '', 'QUINCE. Is all our company here?',
      'BOTTOM. You were best to call them generally, man by man, according to the scrip.') },
  TARTUFFE: { minutes: 115, roles: [5, 7, 0], age: '12 and over', notes: ['Unwanted advances, played as comedy.'],
    songs: [], versions: ['Verse', 'Prose'],
    excerpt: page('ACT ONE. A house in which everybody is leaving.', '', 'GRANDMOTHER. Come. Away from these people.',
      'ELMIRE. You walk so fast that one can hardly see you out.',
      'GRANDMOTHER. Stay there, then. I have been seen out by worse.') },
  GHOSTLIGHT: { minutes: 90, roles: [2, 2, 0], age: '12 and over', songs: [], versions: EDITION,
    notes: ['Moderate language.', 'Total darkness for one minute.'],
    excerpt: page('An empty stage. One bulb on a stand.', '', 'MARGUERITE. They are changing the locks at eight.',
      'OTIS. Then we have until eight.', 'MARGUERITE. For what?', 'OTIS. For the second act.') },
  WINTERDEBT: { minutes: 100, roles: [2, 3, 0], age: '14 and over', songs: [], versions: EDITION,
    notes: ['Strong language.', 'Drinking and an accident at work.'],
    excerpt: page('A kitchen. Snow to the sill.', '', 'RUTH. How much?', 'CALEB. All of it.',
      'RUTH. Banks do not lend all of it.', 'CALEB. They did not lend it. We owe it.') },
  ORCHARD: { minutes: 130, roles: [5, 9, 0], age: 'All ages', notes: ['Smoking, which may be left out.'], songs: [],
    versions: EDITION,
    excerpt: page('ACT ONE. A room still called the nursery.', '',
      'LOPAKHIN. The train is in, thank God. What time is it?',
      'DUNYASHA. Nearly two. It is light already.') },
  SECONDACT: { minutes: 110, roles: [3, 3, 0], age: '10 and over', notes: ['Falls and slammed doors.'], songs: [],
    versions: EDITION,
    excerpt: page('Backstage. A door marked NOT THIS DOOR.', '', 'STAGE MANAGER. Beginners, please.',
      'ACTOR. I have done this for thirty years.', 'STAGE MANAGER. Then you will know which door.',
      '(He takes the other one.)') },
  HOLLOW: { minutes: 85, roles: [1, 2, 0], age: '14 and over', songs: [], versions: EDITION,
    notes: ['Strong language.', 'Bereavement.'],
    excerpt: page('A car, made of three chairs. An urn with a seat belt.', '', 'JUNE. That was our exit.',
      'PAUL. He hated that exit.', 'DANNY. He cannot see it.', 'PAUL. He can feel it.') },
  NIGHTBUS: { minutes: 105, roles: [2, 2, 1], age: '12 and over', songs: [], versions: TWO_VERSIONS,
    notes: ['Moderate language.'],
    excerpt: page('The top deck, past midnight.', '', 'ROZ. Where does this one stop?', 'DRIVER. Everywhere.',
      'ROZ. And then?', 'DRIVER. Arden. Nobody gets off at Arden.', 'ROZ. Two to Arden.') },
  MARINER: { minutes: 65, roles: [0, 1, 3], age: 'All ages', songs: [],
    notes: ['Ghosts, and the death of a bird.'], versions: ['Version for four', 'Version with chorus'],
    excerpt: page('It is an ancient Mariner,', 'And he stoppeth one of three.',
      '‘By thy long grey beard and glittering eye,', 'Now wherefore stopp’st thou me?’') },
};

/** Body of a show's call for a title of the season. */
export function publicFactsOf(code: string) {
  const facts = PUBLIC_FACTS[code];
  if (!facts) throw new TypeError(`${code} has no public facts`);
  const [cast_women, cast_men, cast_any] = facts.roles;
  return { running_time_minutes: facts.minutes, cast_women, cast_men, cast_any, age_rating: facts.age,
    content_notes: facts.notes.join('\n'), songs: facts.songs.join('\n'), versions: facts.versions.join('\n'),
    territory: facts.territory ?? WORLD, excerpt: facts.excerpt };
}
