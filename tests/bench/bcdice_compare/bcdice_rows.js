// Prints what BCDice makes of every roll 1 to 100 against a range of targets, one JSON list a line:
// [target, roll, [swap, normal, reverse]], each reading as [the number read, succeeded, on a double].
// Usage: node bcdice_rows.js LOWEST HIGHEST, with the npm package bcdice where node finds it (NODE_PATH).
"use strict";
const { DynamicLoader } = require("bcdice");

const SYSTEM = "ShinMegamiTenseiKakuseihen";
const WORDS = { 成功: [true, false], 失敗: [false, false], 絶対成功: [true, true], 絶対失敗: [false, true] };
const READINGS = /スワップ\((\d+)\)(\D+)／通常\((\d+)\)(\D+)／逆スワップ\((\d+)\)(\D+)$/;

function judged(Game, target, roll) {
  const game = new Game(`1D100<=${target}`);
  // The only door for faces: every die of a command comes from this method of its randomizer.
  game.randomizer.$random = () => roll;
  const found = game.eval().text.match(READINGS);
  return [0, 2, 4].map((at) => [Number(found[at + 1]), ...WORDS[found[at + 2]]]);
}

async function main(lowest, highest) {
  const Game = await new DynamicLoader().dynamicLoad(SYSTEM);
  const rows = [];
  for (let target = lowest; target <= highest; target++) {
    for (let roll = 1; roll <= 100; roll++) rows.push(JSON.stringify([target, roll, judged(Game, target, roll)]));
  }
  process.stdout.write(rows.join("\n") + "\n");
}

main(...process.argv.slice(2, 4).map(Number));
