/**
 * Countries as the IRS names them on Form 1042-S, by ISO 3166 code. The IRS keeps a list of its own, which differs from
 * ISO in most places: Germany is GM, GM in ISO is Gambia.
 *
 * Source: IRS, Foreign Country Codes (e-file), read in the copy of github.com/balancer-team/irs-data,
 * csv/country-codes.csv at 9cbab066. Unverified until compared with the list of the year.
 */
const CODES = `AD AN, AE AE, AF AF, AG AC, AI AV, AL AL, AM AM, AO AO, AQ AY, AR AR, AS AQ, AT AU, AU AS, AW AA, AZ AJ,
BA BK, BB BB, BD BG, BE BE, BF UV, BG BU, BH BA, BI BY, BJ BN, BL TB, BM BD, BN BX, BO BL, BR BR, BS BF, BT BT, BV BV,
BW BC, BY BO, BZ BH, CA CA, CC CK, CD CG, CF CT, CG CF, CH SZ, CI IV, CK CW, CL CI, CM CM, CN CH, CO CO, CR CS, CU CU,
CV CV, CW UC, CX KT, CY CY, CZ EZ, DE GM, DJ DJ, DK DA, DM DO, DO DR, DZ AG, EC EC, EE EN, EG EG, EH WI, ER ER, ES SP,
ET ET, FI FI, FJ FJ, FK FK, FM FM, FO FO, FR FR, GA GB, GB UK, GD GJ, GE GG, GG GK, GH GH, GI GI, GL GL, GM GA, GN GV,
GQ EK, GR GR, GS SX, GT GT, GU GQ, GW PU, GY GY, HK HK, HM HM, HN HO, HR HR, HT HA, HU HU, ID ID, IE EI, IL IS, IM IM,
IN IN, IO IO, IQ IZ, IR IR, IS IC, IT IT, JE JE, JM JM, JO JO, JP JA, KE KE, KG KG, KH CB, KI KR, KM CN, KN SC, KP KN,
KR KS, KW KU, KY CJ, KZ KZ, LA LA, LB LE, LC ST, LI LS, LK CE, LR LI, LS LT, LT LH, LU LU, LV LG, LY LY, MA MO, MC MN,
MD MD, ME MJ, MF RN, MG MA, MH RM, MK MK, ML ML, MM BM, MN MG, MO MC, MP CQ, MR MR, MS MH, MT MT, MU MP, MV MV, MW MI,
MX MX, MY MY, MZ MZ, NA WA, NC NC, NE NG, NF NF, NG NI, NI NU, NL NL, NO NO, NP NP, NR NR, NU NE, NZ NZ, OM MU, PA PM,
PE PE, PF FP, PG PP, PH RP, PK PK, PL PL, PM SB, PN PC, PT PO, PW PS, PY PA, QA QA, RO RO, RS RI, RU RS, RW RW, SA SA,
SB BP, SC SE, SD SU, SE SW, SG SN, SH SH, SI SI, SK LO, SL SL, SM SM, SN SG, SO SO, SR NS, SS OD, ST TP, SV ES, SX NN,
SY SY, SZ WZ, TC TK, TD CD, TF FS, TG TO, TH TH, TJ TI, TK TL, TL TT, TM TX, TN TS, TO TN, TR TU, TT TD, TV TV, TW TW,
TZ TZ, UA UP, UG UG, US US, UY UY, UZ UZ, VA VT, VC VC, VE VE, VN VM, VU NH, WF WF, WS WS, XK KV, YE YM, ZA SF, ZM ZA,
ZW ZI`;

const IRS: ReadonlyMap<string, string> = new Map(CODES.split(/,\s+/)
  .map((pair) => pair.split(' ') as [string, string]));

/** Of a country that the list does not have the code is empty: a person enters it. */
export const irsCountry = (iso: string | null): string => (iso === null ? '' : IRS.get(iso) ?? '');
