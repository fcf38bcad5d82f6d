/** Buttons, choices, several-choice select, money, files, question: the parts without rows of their own in the spec. */
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ActionButton } from './button/action-button.tsx';
import { Button } from './button/button.tsx';
import { Checkbox, Switch } from './field/checkbox.tsx';
import { ConfirmDialog } from './button/confirm-dialog.tsx';
import { FileDrop } from './field/file-drop.tsx';
import { MAX_FILE_BYTES } from './field/file-rules.ts';
import { MoneyField } from './field/money-field.tsx';
import { MultiSelect } from './select/multi-select.tsx';
import { NumberField } from './field/number-field.tsx';
import { PercentField } from './field/percent-field.tsx';
import { RadioGroup, SegmentedControl } from './field/radio-group.tsx';
import { staged } from './stage.tsx';

const shown = () => page.getByTestId('shown');
function Shown<T>({ start, children }: { start: T; children: (value: T, set: (value: T) => void) => React.ReactNode }) {
  const [value, setValue] = useState(start);
  return <>{children(value, setValue)}<output data-testid="shown">{JSON.stringify(value)}</output></>;
}

test('money: decimal text in, minor units out, two decimals and grouping after leaving', async () => {
  await staged(
    <Shown<number | null> start={null}>
      {(value, set) => <MoneyField label="Fee" currency="USD" value={value} onChange={set} />}
    </Shown>,
  );
  const field = page.getByRole('textbox', { name: 'Fee' });
  await userEvent.fill(field, '1234.5');
  await expect.element(shown()).toHaveTextContent('123450');
  await userEvent.keyboard('{Tab}');
  await expect.element(field).toHaveValue('1,234.50');
  await expect.element(page.getByText('USD')).toBeVisible();
  await field.click();
  await expect.element(field).toHaveValue('1234.50');
  await userEvent.fill(field, '-5');
  await expect.element(field).toHaveValue('1234.50');
  await userEvent.fill(field, '1.234');
  await userEvent.keyboard('{Tab}');
  await expect.element(field).toHaveAccessibleDescription('Enter an amount, such as 1,234.50');
  await expect.element(field).toHaveAttribute('data-unreadable');
});

test('percent gives parts per million, a number drops the negative keystroke', async () => {
  await staged(
    <Shown<number | null> start={null}>
      {(value, set) => (
        <>
          <PercentField label="Rate" value={value} onChange={set} />
          <NumberField label="Seats" value={40} onChange={set} />
        </>
      )}
    </Shown>,
  );
  await userEvent.fill(page.getByRole('textbox', { name: 'Rate' }), '8.875');
  await expect.element(shown()).toHaveTextContent('88750');
  await userEvent.fill(page.getByRole('textbox', { name: 'Seats' }), '-3');
  await expect.element(page.getByRole('textbox', { name: 'Seats' })).toHaveValue('40');
});

test('several options: chosen in order, the list stays open, a chip removes', async () => {
  const options = [{ value: 1, label: 'Savoy' }, { value: 2, label: 'Gaiety' }, { value: 3, label: 'Foundry' }];
  await staged(
    <Shown<number[]> start={[3]}>
      {(value, set) => <MultiSelect label="Venues" options={options} value={value} onChange={set} />}
    </Shown>,
  );
  await page.getByRole('combobox', { name: 'Venues', exact: true }).click();
  await page.getByRole('option', { name: 'Gaiety' }).click();
  await page.getByRole('option', { name: 'Savoy' }).click();
  await expect.element(shown()).toHaveTextContent('[3,2,1]');
  await page.getByRole('option', { name: 'Gaiety' }).click();
  await expect.element(shown()).toHaveTextContent('[3,1]');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Remove Foundry' }).click();
  await expect.element(shown()).toHaveTextContent('[1]');
});

test('several: Enter takes the first hit of what was typed', async () => {
  const options = [{ value: 1, label: 'Foundry' }, { value: 2, label: 'Savoy' }, { value: 3, label: 'Gaiety' }];
  await staged(
    <Shown<number[]> start={[]}>
      {(value, set) => <MultiSelect label="Venues" options={options} value={value} onChange={set} />}
    </Shown>,
  );
  await page.getByRole('combobox', { name: 'Venues', exact: true }).click();
  await expect.element(page.getByRole('combobox', { name: 'Search Venues' })).toHaveFocus();
  await userEvent.keyboard('sav');
  await expect.element(page.getByRole('option', { name: 'Savoy' })).toHaveAttribute('data-combobox-selected');
  await userEvent.keyboard('{Enter}');
  await expect.element(shown()).toHaveTextContent('[2]');
});

test('choices work from the keyboard', async () => {
  const choices = [{ value: 'amateur', label: 'Amateur' }, { value: 'pro', label: 'Pro' }];
  await staged(
    <Shown<{ on: boolean; kind: string }> start={{ on: false, kind: 'amateur' }}>
      {(value, set) => (
        <>
          <Checkbox label="Posted" value={value.on} onChange={(on) => set({ ...value, on })}
            indeterminate={!value.on} />
          <Switch label="Open" value={value.on} onChange={(on) => set({ ...value, on })} />
          <RadioGroup label="Kind" choices={choices} value={value.kind} onChange={(kind) => set({ ...value, kind })} />
          <SegmentedControl label="Same" choices={choices} value={value.kind} onChange={() => {}} />
        </>
      )}
    </Shown>,
  );
  expect(page.getByRole('checkbox', { name: 'Posted' }).element()).toHaveProperty('indeterminate', true);
  await userEvent.keyboard('{Tab} ');
  await expect.element(page.getByRole('switch', { name: 'Open' })).toBeChecked();
  await userEvent.keyboard('{Tab}{Tab}{ArrowDown}');
  await expect.element(shown()).toHaveTextContent('{"on":true,"kind":"pro"}');
  await expect.element(page.getByRole('radio', { name: 'Pro' }).nth(1)).toBeChecked();
});

test('an action runs once while pending and says why it failed', async () => {
  const runs: ((failure: Error) => void)[] = [];
  await staged(<ActionButton action={() => new Promise((_, reject) => { runs.push(reject); })}>Approve</ActionButton>);
  const button = page.getByRole('button', { name: 'Approve' });
  await button.click();
  await expect.element(button).toHaveAttribute('aria-busy', 'true');
  await userEvent.keyboard('{Enter}');
  expect(runs).toHaveLength(1);
  runs[0]?.(new Error('Network Error'));
  await expect.element(page.getByRole('alert')).toHaveTextContent('Network Error');
  await expect.element(button).not.toHaveAttribute('aria-busy');
});

test('a button with a reason stays focusable and does nothing', async () => {
  const onClick = vi.fn();
  await staged(<Button reason="The materials are 2 short" onClick={onClick}>Release</Button>);
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(page.getByRole('button', { name: 'Release' })).toHaveFocus();
  await expect.element(page.getByText('The materials are 2 short').first()).toBeVisible();
  expect(onClick).not.toHaveBeenCalled();
});

test('a question with a typed word: held until typed, Escape means no', async () => {
  const onConfirm = vi.fn();
  const onCancel = vi.fn();
  await staged(
    <ConfirmDialog open title="Void?" text="Both entries stay." confirm="Void payment" typed="VOID"
      onConfirm={onConfirm} onCancel={onCancel} />,
  );
  await userEvent.fill(page.getByRole('textbox', { name: 'Type VOID to confirm' }), 'VOI');
  (page.getByRole('button', { name: 'Void payment' }).element() as HTMLElement).click();
  expect(onConfirm).not.toHaveBeenCalled();
  await userEvent.fill(page.getByRole('textbox', { name: 'Type VOID to confirm' }), 'VOID');
  await page.getByRole('button', { name: 'Void payment' }).click();
  expect(onConfirm).toHaveBeenCalledOnce();
  await userEvent.keyboard('{Escape}');
  expect(onCancel).toHaveBeenCalledOnce();
});

const WAYS = [['closed', false], ['taken away', true]] as const;
test.each(WAYS)('a question that is %s gives the focus back', async (_how, goes) => {
  await staged(
    <Shown start={false}>
      {(asking, set) => (
        <>
          <Button onClick={() => set(true)}>Cancel advance</Button>
          {(asking || !goes) && (
            <ConfirmDialog open={asking} title="Cancel it?" text="It stays in the list." confirm="Cancel it"
              cancel="Keep it" onConfirm={() => {}} onCancel={() => set(false)} />
          )}
        </>
      )}
    </Shown>,
  );
  const opener = page.getByRole('button', { name: 'Cancel advance' });
  await opener.click();
  await expect.element(page.getByRole('button', { name: 'Keep it' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(opener).toHaveFocus();
});

test('a question asked from a cell of figures reads like any other', async () => {
  await staged(
    <div style={{ textAlign: 'right', whiteSpace: 'nowrap' }}>
      <ConfirmDialog open title="Close the period?" text="It takes no postings." confirm="Close" onConfirm={() => {}}
        onCancel={() => {}} />
    </div>,
  );
  for (const words of ['Close the period?', 'It takes no postings.']) {
    const { textAlign, whiteSpace } = getComputedStyle(page.getByText(words).element());
    expect([textAlign, whiteSpace]).toEqual(['start', 'normal']);
  }
});

test('files: sent with progress, refused in words, dropped as well as chosen', async () => {
  let finish: () => void = () => {};
  const onUpload = vi.fn((_file: File, progress: (share: number) => void) => {
    progress(0.4);
    return new Promise<void>((resolve) => { finish = resolve; });
  });
  await staged(<FileDrop label="Contract" types={['.pdf']} onUpload={onUpload} />);
  const input = page.getByLabelText('Contract', { exact: true }).element() as HTMLInputElement;
  const choose = (file: File) => {
    const data = new DataTransfer();
    data.items.add(file);
    input.closest('label')?.dispatchEvent(
      new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
    );
  };
  choose(new File(['x'], 'photo.png'));
  await expect.element(page.getByText('photo.png is not taken: PDF, up to 25 MiB')).toBeVisible();
  const big = new File(['x'], 'big.pdf');
  Object.defineProperty(big, 'size', { value: MAX_FILE_BYTES + 1 });
  choose(big);
  await expect.element(page.getByText('big.pdf is 25.0 MiB; the limit is 25 MiB')).toBeVisible();
  expect(onUpload).not.toHaveBeenCalled();
  choose(new File(['contract'], 'contract.pdf'));
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('value', '40');
  finish();
  await expect.element(page.getByText('8 bytes, uploaded')).toBeVisible();
});
