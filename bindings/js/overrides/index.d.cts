import robotsParser = require("robotrules/robots-parser");
export = robotsParser;
