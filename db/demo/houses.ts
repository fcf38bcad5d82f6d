/** Customers and venues of the demo season: a dozen and more houses in three countries. All invented. */
import type { Address, Division } from '#kit/field.ts';
import type { Currency } from '#kernel/money/money.ts';

export interface DemoVenue {
  name: string;
  kind: 'theatre' | 'school_hall' | 'arena' | 'church' | 'outdoor' | 'other';
  address: Address;
  lat: number;
  lng: number;
  time_zone: string;
  capacity: number;
  tickets: { label: string; number_of_seats: number; price: number; weight: number }[];
}

export interface DemoCustomer {
  name: string;
  kind: 'school_k12' | 'university' | 'community' | 'youth' | 'professional' | 'church' | 'camp' | 'other';
  classification: 'school' | 'community' | 'youth' | 'professional';
  division: Division;
  currency: Currency;
  statement_email: string;
  is_business: boolean;
  vat_number?: string;
  purchase_orders?: boolean;
  exempt?: { state: string; number: string };
  address: Address;
  venues: DemoVenue[];
}

const us = (thoroughfare: string, locality: string, administrative_area: string, postal_code: string): Address =>
  ({ country_code: 'US', thoroughfare, locality, administrative_area, postal_code });
const uk = (thoroughfare: string, locality: string, postal_code: string): Address =>
  ({ country_code: 'GB', thoroughfare, locality, administrative_area: '', postal_code });
const ie = (thoroughfare: string, locality: string, administrative_area: string, postal_code: string): Address =>
  ({ country_code: 'IE', thoroughfare, locality, administrative_area, postal_code });

const NY = 'America/New_York', LA = 'America/Los_Angeles', CHI = 'America/Chicago', LON = 'Europe/London',
  DUB = 'Europe/Dublin';

type Ticket = DemoVenue['tickets'][number];
const three = (seats: [number, number, number], prices: [number, number, number]): Ticket[] => [
  { label: 'Stalls', number_of_seats: seats[0], price: prices[0], weight: 50 },
  { label: 'Balcony', number_of_seats: seats[1], price: prices[1], weight: 30 },
  { label: 'Students', number_of_seats: seats[2], price: prices[2], weight: 20 },
];
const flat = (seats: number, price: number): Ticket[] =>
  [{ label: 'Unreserved', number_of_seats: seats, price, weight: 100 }];

export const DEMO_CUSTOMERS: readonly DemoCustomer[] = [
  { name: 'Astoria Community Players', kind: 'community', classification: 'community', division: 'US', currency: 'USD',
    statement_email: 'accounts@astoriaplayers.example', is_business: true,
    address: us('31-05 Vernon Blvd', 'Long Island City', 'NY', '11106'),
    venues: [{ name: 'Ravenswood Playhouse', kind: 'theatre', address: us('31-05 Vernon Blvd', 'Long Island City',
      'NY', '11106'),
      lat: 40.7669, lng: -73.9357, time_zone: NY, capacity: 400, tickets: three([150, 200, 50], [25, 18, 10]) }] },
  { name: 'Berkshire State Theatre', kind: 'university', classification: 'school', division: 'US', currency: 'USD',
    statement_email: 'box@berkshirestate.example', is_business: true, purchase_orders: true,
    address: us('229 Main St', 'Pittsfield', 'MA', '01201'),
    venues: [{ name: 'Redfern Stage', kind: 'theatre', address: us('229 Main St', 'Pittsfield', 'MA', '01201'),
      lat: 42.4501, lng: -73.2454, time_zone: NY, capacity: 350, tickets: three([200, 100, 50], [20, 15, 8]) }] },
  { name: 'Fairmount College', kind: 'university', classification: 'school', division: 'US', currency: 'USD',
    statement_email: 'drama@fairmount.example', is_business: true, purchase_orders: true,
    exempt: { state: 'NY', number: 'EX-118042' }, address: us('12 College Walk', 'Albany', 'NY', '12203'),
    venues: [{ name: 'Lathrop Hall', kind: 'school_hall', address: us('12 College Walk', 'Albany', 'NY', '12203'),
      lat: 42.6526, lng: -73.7562, time_zone: NY, capacity: 220, tickets: flat(220, 12) }] },
  { name: 'Bay Area Operetta', kind: 'community', classification: 'community', division: 'US', currency: 'USD',
    statement_email: 'office@bayoperetta.example', is_business: true, address: us('900 Broadway', 'Oakland', 'CA',
      '94607'),
    venues: [{ name: 'Lakeside Odeon', kind: 'theatre', address: us('900 Broadway', 'Oakland', 'CA', '94607'),
      lat: 37.8044, lng: -122.2712, time_zone: LA, capacity: 620, tickets: three([320, 220, 80], [38, 27, 15]) },
    { name: 'Temescal Garden Stage', kind: 'outdoor', address: us('4920 Telegraph Ave', 'Oakland', 'CA', '94609'),
      lat: 37.8364, lng: -122.2620, time_zone: LA, capacity: 180, tickets: flat(180, 22) }] },
  { name: 'Harbor Light Theatre', kind: 'community', classification: 'community', division: 'US', currency: 'USD',
    statement_email: 'ruth.a@harborlight.example', is_business: true, address: us('7 Pier Rd', 'Houston', 'TX',
      '77002'),
    venues: [{ name: 'Harbor Light Main Stage', kind: 'theatre', address: us('7 Pier Rd', 'Houston', 'TX', '77002'),
      lat: 29.7604, lng: -95.3698, time_zone: CHI, capacity: 260, tickets: three([140, 90, 30], [24, 18, 9]) }] },
  { name: 'Savoy Hill Players', kind: 'community', classification: 'community', division: 'US', currency: 'USD',
    statement_email: 'treasurer@savoyhill.example', is_business: true, address: us('1530 Pacific Ave', 'Tacoma', 'WA',
      '98402'),
    venues: [{ name: 'Savoy Hill Playhouse', kind: 'theatre', address: us('1530 Pacific Ave', 'Tacoma', 'WA', '98402'),
      lat: 47.2472, lng: -122.4364, time_zone: LA, capacity: 310, tickets: three([180, 90, 40], [28, 20, 12]) }] },
  { name: 'Old Mill Youth Theatre', kind: 'youth', classification: 'youth', division: 'US', currency: 'USD',
    statement_email: 'hello@oldmillyouth.example', is_business: false, address: us('88 Mill St', 'Ithaca', 'NY',
      '14850'),
    venues: [{ name: 'Old Mill Barn', kind: 'other', address: us('88 Mill St', 'Ithaca', 'NY', '14850'),
      lat: 42.4440, lng: -76.5019, time_zone: NY, capacity: 140, tickets: flat(140, 10) }] },
  { name: 'St Bede’s School Drama', kind: 'school_k12', classification: 'school', division: 'UK', currency: 'GBP',
    statement_email: 'bursar@stbedes.example', is_business: true, vat_number: 'GB123456782',
    address: uk('4 Cloister Lane', 'Durham', 'DH1 3LE'),
    venues: [{ name: 'St Bede’s Great Hall', kind: 'school_hall', address: uk('4 Cloister Lane', 'Durham', 'DH1 3LE'),
      lat: 54.7753, lng: -1.5849, time_zone: LON, capacity: 280, tickets: three([160, 80, 40], [12, 9, 5]) }] },
  { name: 'Thamesmead Operatic Society', kind: 'community', classification: 'community', division: 'UK',
    currency: 'GBP',
    statement_email: 'treasurer@thamesmead.example', is_business: false, address: uk('19 Yarnton Way', 'London',
      'SE2 9AP'),
    venues: [{ name: 'The Link Theatre', kind: 'theatre', address: uk('19 Yarnton Way', 'London', 'SE2 9AP'),
      lat: 51.4934, lng: 0.1130, time_zone: LON, capacity: 340, tickets: three([200, 100, 40], [18, 14, 8]) }] },
  { name: 'Leith Amateur Dramatics', kind: 'community', classification: 'community', division: 'UK', currency: 'GBP',
    statement_email: 'secretary@leithdrama.example', is_business: false, address: uk('30 Ferry Road', 'Edinburgh',
      'EH6 4AE'),
    venues: [{ name: 'Leith Kirkgate Hall', kind: 'church', address: uk('30 Ferry Road', 'Edinburgh', 'EH6 4AE'),
      lat: 55.9747, lng: -3.1780, time_zone: LON, capacity: 190, tickets: flat(190, 11) }] },
  { name: 'Northern Quays Rep', kind: 'professional', classification: 'professional', division: 'UK', currency: 'GBP',
    statement_email: 'finance@northernquays.example', is_business: true, vat_number: 'GB980780684',
    address: uk('2 Quay Street', 'Manchester', 'M3 3HN'),
    venues: [{ name: 'The Quays Playhouse', kind: 'theatre', address: uk('2 Quay Street', 'Manchester', 'M3 3HN'),
      lat: 53.4794, lng: -2.2500, time_zone: LON, capacity: 720, tickets: three([400, 240, 80], [34, 24, 14]) }] },
  { name: 'Liffey Street Company', kind: 'professional', classification: 'professional', division: 'EU',
    currency: 'EUR',
    statement_email: 'cuntais@liffeystreet.example', is_business: true, vat_number: 'IE1234567T',
    address: ie('14 Liffey Street', 'Dublin', 'D', 'D01 X4P2'),
    venues: [{ name: 'Liffey Street Studio', kind: 'theatre', address: ie('14 Liffey Street', 'Dublin', 'D',
      'D01 X4P2'),
      lat: 53.3478, lng: -6.2630, time_zone: DUB, capacity: 240, tickets: three([140, 70, 30], [30, 22, 12]) }] },
  { name: 'Galway Bay Musical Society', kind: 'community', classification: 'community', division: 'EU', currency: 'EUR',
    statement_email: 'treasurer@galwaybay.example', is_business: false,
    address: ie('5 Dominick Street', 'Galway', 'G', 'H91 Y0TC'),
    venues: [{ name: 'Claddagh Hall', kind: 'theatre', address: ie('5 Dominick Street', 'Galway', 'G', 'H91 Y0TC'),
      lat: 53.2707, lng: -9.0568, time_zone: DUB, capacity: 300, tickets: three([180, 80, 40], [20, 16, 9]) }] },
  { name: 'Calder Touring Company', kind: 'professional', classification: 'professional', division: 'PROD',
    currency: 'USD',
    statement_email: 'royalties@calder.example', is_business: true, address: us('240 W 44th St', 'New York', 'NY',
      '10036'),
    venues: [{ name: 'The Aldwyn', kind: 'theatre', address: us('240 W 44th St', 'New York', 'NY', '10036'),
      lat: 40.7580, lng: -73.9875, time_zone: NY, capacity: 1080, tickets: three([560, 400, 120], [129, 89, 45]) },
    { name: 'Lyceum of the Lakes', kind: 'theatre', address: us('300 N Michigan Ave', 'Chicago', 'IL', '60601'),
      lat: 41.8867, lng: -87.6244, time_zone: CHI, capacity: 900, tickets: three([480, 320, 100], [98, 72, 38]) }] },
];
